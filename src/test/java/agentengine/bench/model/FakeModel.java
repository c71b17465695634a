package agentengine.bench.model;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** An OpenAI-compatible endpoint whose every answer follows the {@link Script} in the request. */
public final class FakeModel implements AutoCloseable {

  private static final int ACCEPT_BACKLOG = 4096;

  private final ServerSocketChannel listener;
  private final int port;
  private final Pacer pacer = new Pacer();
  private final AtomicInteger activeAnswers = new AtomicInteger();

  private FakeModel(ServerSocketChannel listener, int port) {
    this.listener = listener;
    this.port = port;
  }

  /** Listens on a free loopback port. */
  public static FakeModel start() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ACCEPT_BACKLOG);
    FakeModel model = new FakeModel(listener, listener.socket().getLocalPort());
    model.pacer.start();
    Thread.ofPlatform().daemon().name("accept").start(model::acceptAll);
    return model;
  }

  public int port() {
    return port;
  }

  private void acceptAll() {
    while (listener.isOpen()) {
      try {
        SocketChannel channel = listener.accept();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Thread.startVirtualThread(new ModelConnection(channel, pacer, activeAnswers));
      } catch (IOException e) {
        if (listener.isOpen()) {
          System.err.println("fake model: a connection was not accepted: " + e);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    pacer.stop();
  }

  /** Prints its port, then serves until its standard input ends: it cannot outlive its parent. */
  public static void main(String[] args) throws IOException {
    try (FakeModel model = FakeModel.start()) {
      System.out.println(model.port());
      while (System.in.read() >= 0) {
        // Nothing is expected; only the end matters.
      }
    }
    System.exit(0);
  }
}
