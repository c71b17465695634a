package agentengine.bench;

import agentengine.bench.load.ProcFs;

/** Watches a process's resident memory while something else is going on, and keeps the highest. */
final class RssPeak implements AutoCloseable {

  private static final long SAMPLE_MILLIS = 200;

  private final long pid;
  private final Thread sampler;
  private volatile double highest;

  RssPeak(long pid) {
    this.pid = pid;
    this.highest = ProcFs.rssMegabytes(pid);
    this.sampler = Thread.ofVirtual().unstarted(this::sample);
  }

  static RssPeak watch(long pid) {
    RssPeak peak = new RssPeak(pid);
    peak.sampler.start();
    return peak;
  }

  double highestMegabytes() {
    return highest;
  }

  private void sample() {
    try {
      while (true) {
        Thread.sleep(SAMPLE_MILLIS);
        highest = Math.max(highest, ProcFs.rssMegabytes(pid));
      }
    } catch (InterruptedException watchedLongEnough) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    sampler.interrupt();
  }
}
