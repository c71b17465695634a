package agentengine.bench.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the tokens of all paced streams from one thread, on a timer wheel of one slot a
 * millisecond. A timer and a thread switch for every token would cost several times the write
 * itself.
 */
final class Pacer implements Runnable {

  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** A power of two above the longest pause in ticks, so that a slot never holds two rounds. */
  private static final int SLOTS = 4096;

  private final long epochNanos = System.nanoTime();
  private final List<List<PacedStream>> wheel = new ArrayList<>(SLOTS);
  private final Queue<PacedStream> arrivals = new ConcurrentLinkedQueue<>();
  private final ByteBuffer token = AnswerBytes.tokens(1);
  private final Thread thread = Thread.ofPlatform().daemon().name("pacer").unstarted(this);
  private List<PacedStream> emptySlot = new ArrayList<>();
  private long lastTick;
  private int active;

  Pacer() {
    for (int slot = 0; slot < SLOTS; slot++) {
      wheel.add(new ArrayList<>());
    }
  }

  void start() {
    thread.start();
  }

  void stop() {
    thread.interrupt();
  }

  /** Sends so many tokens, the first one after a pause, and returns when all are sent. */
  void play(SocketChannel channel, int tokens, int pauseMillis)
      throws IOException, InterruptedException {
    PacedStream stream = new PacedStream(channel, tokens, pauseMillis, nowTick());
    // A client that does not read must hold up its own stream only, not the thread of all.
    channel.configureBlocking(false);
    arrivals.add(stream);
    LockSupport.unpark(thread);
    stream.awaitEnd();
    channel.configureBlocking(true);
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      long now = nowTick();
      if (active == 0) {
        lastTick = now;
      }
      takeArrivals();
      if (active == 0) {
        LockSupport.park(this);
        continue;
      }
      while (lastTick < now) {
        lastTick++;
        runSlot(slotOf(lastTick));
      }
      long nextTickAt = epochNanos + (lastTick + 1) * TICK_NANOS;
      LockSupport.parkNanos(this, nextTickAt - System.nanoTime());
    }
  }

  private void takeArrivals() {
    for (PacedStream stream = arrivals.poll(); stream != null; stream = arrivals.poll()) {
      active++;
      insert(stream);
    }
  }

  private void runSlot(int slot) {
    List<PacedStream> due = wheel.get(slot);
    if (due.isEmpty()) {
      return;
    }
    wheel.set(slot, emptySlot);
    for (PacedStream stream : due) {
      if (stream.tick(token)) {
        insert(stream);
      } else {
        active--;
      }
    }
    due.clear();
    emptySlot = due;
  }

  private void insert(PacedStream stream) {
    wheel.get(slotOf(Math.max(stream.dueTick(), lastTick + 1))).add(stream);
  }

  private static int slotOf(long tick) {
    return (int) (tick & (SLOTS - 1));
  }

  private long nowTick() {
    return (System.nanoTime() - epochNanos) / TICK_NANOS;
  }
}
