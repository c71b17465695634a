package agentengine.bench.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One answer in progress whose tokens fall due at a fixed pause; driven by the {@link Pacer}. */
final class PacedStream {

  private final SocketChannel channel;
  private final int pauseMillis;
  private final CountDownLatch ended = new CountDownLatch(1);
  private @Nullable IOException failure;

  private long dueTick;
  private int notYetDue;
  private int owed;
  private int bytesOfCurrentSent;

  PacedStream(SocketChannel channel, int tokens, int pauseMillis, long nowTick) {
    this.channel = channel;
    this.notYetDue = tokens;
    this.pauseMillis = pauseMillis;
    this.dueTick = nowTick + pauseMillis;
  }

  long dueTick() {
    return dueTick;
  }

  /**
   * Sends the token that is due now, after those that a full socket held back. Returns false once
   * the stream has ended, well or not.
   */
  boolean tick(ByteBuffer token) {
    if (notYetDue > 0) {
      notYetDue--;
      owed++;
    }
    dueTick += notYetDue > 0 ? pauseMillis : 1;
    try {
      sendOwed(token);
    } catch (IOException e) {
      failure = e;
      owed = 0;
      notYetDue = 0;
    }
    if (owed == 0 && notYetDue == 0) {
      ended.countDown();
      return false;
    }
    return true;
  }

  private void sendOwed(ByteBuffer token) throws IOException {
    while (owed > 0) {
      token.position(bytesOfCurrentSent);
      channel.write(token);
      if (token.hasRemaining()) {
        bytesOfCurrentSent = token.position();
        return;
      }
      bytesOfCurrentSent = 0;
      owed--;
    }
  }

  void awaitEnd() throws IOException, InterruptedException {
    ended.await();
    if (failure != null) {
      throw failure;
    }
  }
}
