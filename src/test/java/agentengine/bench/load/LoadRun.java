package agentengine.bench.load;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Puts one scenario's load on its target and measures. All streams share one thread and one
 * selector: a thread switch for every token would cost this small machine more than the reading.
 */
public final class LoadRun {

  private enum Phase {
    WARMUP,
    WINDOW,
    DRAIN
  }

  /** So long may turns that began in the window take to end after it. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long SELECT_MILLIS = 5;

  private final Scenario scenario;
  private final Tally tally;
  private final byte[] newSessionRequest;
  private final byte[] buffer = new byte[1 << 16];
  private final List<ClientStream> streams = new ArrayList<>();
  private final long rampNanos;

  private Phase phase = Phase.WARMUP;
  private Tally.Counts countsAtOpening;
  private Tally.Counts countsAtClosing;
  private CpuTimes cpuAtOpening = CpuTimes.NONE;
  private CpuTimes cpuInWindow = CpuTimes.NONE;
  private long openedAt;
  private long closedAt;
  private int openAtClosing;

  public LoadRun(Scenario scenario) {
    this.scenario = scenario;
    this.tally = new Tally(scenario.recordTurns());
    this.newSessionRequest = scenario.target().request(scenario.script(), null);
    this.rampNanos = TimeUnit.MILLISECONDS.toNanos(scenario.rampMillis());
    this.countsAtOpening = tally.counts();
    this.countsAtClosing = countsAtOpening;
  }

  public Result run() throws IOException {
    long startedAt = System.nanoTime();
    long windowFrom =
        startedAt + rampNanos + TimeUnit.MILLISECONDS.toNanos(scenario.warmupMillis());
    long windowTo = windowFrom + TimeUnit.MILLISECONDS.toNanos(scenario.windowMillis());
    try (Selector selector = Selector.open()) {
      long now = startedAt;
      while (now < windowTo + DRAIN_NANOS) {
        openDueStreams(selector, now - startedAt);
        boolean allEnded = streams.size() == scenario.streams() && openStreams() == 0;
        if (phase == Phase.WARMUP && (now >= windowFrom || allEnded)) {
          openWindow();
        }
        if (phase == Phase.WINDOW && (now >= windowTo || allEnded)) {
          closeWindow();
        }
        if (phase == Phase.DRAIN && allEnded) {
          break;
        }
        selector.select(
            key -> {
              if (key.attachment() instanceof ClientStream stream) {
                stream.ready(key, buffer);
              }
            },
            SELECT_MILLIS);
        now = System.nanoTime();
      }
      int unfinished = openStreams();
      streams.forEach(ClientStream::close);
      double seconds = (closedAt - openedAt) / (double) TimeUnit.SECONDS.toNanos(1);
      return tally.result(
          countsAtOpening, countsAtClosing, seconds, openAtClosing, unfinished, cpuInWindow);
    }
  }

  private void openDueStreams(Selector selector, long elapsedNanos) throws IOException {
    int due =
        elapsedNanos >= rampNanos
            ? scenario.streams()
            : (int) (scenario.streams() * elapsedNanos / rampNanos);
    while (streams.size() < due) {
      streams.add(new ClientStream(scenario, newSessionRequest, tally, selector));
    }
  }

  private void openWindow() {
    phase = Phase.WINDOW;
    tally.inWindow(true);
    cpuAtOpening = CpuTimes.read(scenario.pids());
    countsAtOpening = tally.counts();
    openedAt = System.nanoTime();
  }

  private void closeWindow() {
    phase = Phase.DRAIN;
    closedAt = System.nanoTime();
    countsAtClosing = tally.counts();
    cpuInWindow = CpuTimes.read(scenario.pids()).since(cpuAtOpening);
    openAtClosing = openStreams();
    tally.inWindow(false);
    streams.forEach(ClientStream::startNoMore);
  }

  private int openStreams() {
    return streams.size() - tally.streamsEnded();
  }
}
