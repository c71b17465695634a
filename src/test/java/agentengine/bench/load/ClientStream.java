package agentengine.bench.load;

import agentengine.bench.model.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** One connection of the load: runs turn after turn and reports each to the {@link Tally}. */
final class ClientStream {

  private final Target target;
  private final Script script;
  private final boolean oneSession;
  private final Tally tally;
  private final EventCounter events;
  private final ResponseDecoder response;
  private final InetSocketAddress address;
  private final byte[] newSessionRequest;

  private SocketChannel channel;
  private @Nullable String sessionId;
  private int turnsLeft;
  private boolean ended;
  private long turnStartedAt;
  private long firstDeltaAt;
  private long lastDeltaAt;

  ClientStream(Scenario scenario, byte[] newSessionRequest, Tally tally, Selector selector)
      throws IOException {
    this.target = scenario.target();
    this.script = scenario.script();
    this.oneSession = scenario.oneSession();
    this.turnsLeft = scenario.turnsPerStream() == 0 ? Integer.MAX_VALUE : scenario.turnsPerStream();
    this.newSessionRequest = newSessionRequest;
    this.tally = tally;
    this.events = new EventCounter(target.protocol());
    this.response = new ResponseDecoder(events);
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), target.port());
    this.channel = connect(selector);
  }

  private SocketChannel connect(Selector selector) throws IOException {
    SocketChannel opened = SocketChannel.open();
    opened.configureBlocking(false);
    opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
    opened.register(selector, SelectionKey.OP_CONNECT, this);
    opened.connect(address);
    return opened;
  }

  /** No turn is started after this; the running one goes on. */
  void startNoMore() {
    turnsLeft = 0;
  }

  /** Does what the socket is ready for; a broken turn ends the stream. */
  void ready(SelectionKey key, byte[] buffer) {
    try {
      if (key.isConnectable()) {
        channel.finishConnect();
        key.interestOps(SelectionKey.OP_READ);
        startTurn();
      } else {
        read(key.selector(), buffer);
      }
    } catch (IOException | RuntimeException e) {
      tally.turnFailed(e.toString());
      close();
    }
  }

  private void startTurn() throws IOException {
    response.reset();
    firstDeltaAt = 0;
    byte[] request = sessionId == null ? newSessionRequest : target.request(script, sessionId);
    turnStartedAt = System.nanoTime();
    ByteBuffer bytes = ByteBuffer.wrap(request);
    channel.write(bytes);
    if (bytes.hasRemaining()) {
      throw new IOException("a request of " + request.length + " bytes did not fit the socket");
    }
  }

  private void read(Selector selector, byte[] buffer) throws IOException {
    int length = channel.read(ByteBuffer.wrap(buffer));
    long now = System.nanoTime();
    if (length < 0) {
      response.endOfConnection();
      if (!response.complete()) {
        throw new IOException("connection closed in the middle of an answer");
      }
    } else {
      int tokensBefore = events.tokens();
      int deltasBefore = events.deltas();
      response.accept(buffer, length);
      if (events.deltas() > deltasBefore) {
        deltasArrived(events.tokens() - tokensBefore, events.deltas() - deltasBefore, now);
      }
    }
    if (response.complete()) {
      endTurn(selector, now);
    }
  }

  private void deltasArrived(int tokens, int deltas, long now) {
    tally.arrived(tokens, deltas);
    if (firstDeltaAt == 0) {
      firstDeltaAt = now;
    } else {
      tally.gap(now - lastDeltaAt);
    }
    lastDeltaAt = now;
  }

  private void endTurn(Selector selector, long now) throws IOException {
    String problem = response.problem(script.tokens());
    if (problem != null) {
      throw new IOException(problem);
    }
    tally.turnEnded(firstDeltaAt - turnStartedAt, now - turnStartedAt);
    turnsLeft--;
    if (turnsLeft <= 0) {
      close();
      return;
    }
    if (oneSession) {
      sessionId = response.sessionId();
    }
    if (response.closes()) {
      channel.close();
      channel = connect(selector);
    } else {
      startTurn();
    }
  }

  void close() {
    if (!ended) {
      ended = true;
      tally.streamEnded();
    }
    try {
      channel.close();
    } catch (IOException e) {
      tally.turnFailed("closing: " + e);
    }
  }
}
