package agentengine.model;

import agentengine.time.Watchdog;

/** A call under way, as the reader of its answer sees it: who waits for what, and how long. */
record ProviderCall(Watchdog.Watch watch, ModelLimits limits, ModelListener listener) {

  /** Something arrived: the provider has this long for the next piece. */
  void progress() {
    watch.extend(limits.stall());
  }

  /** Everything that had arrived was handled. */
  void pause() {
    listener.pause();
  }
}
