package agentengine.turn;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Wakes the calls that wait for a person when a word has come; the word itself is in the ledger.
 */
public final class Gates {
  private final Map<String, CountDownLatch> bells = new ConcurrentHashMap<>();

  /** The bell of a call; to be had before the ledger is looked at, so that no word is missed. */
  CountDownLatch bell(String callId) {
    return bells.computeIfAbsent(callId, _ -> new CountDownLatch(1));
  }

  /** A word has come for the call, if it waits here. */
  void ring(String callId) {
    CountDownLatch bell = bells.remove(callId);
    if (bell != null) {
      bell.countDown();
    }
  }

  void forget(String callId) {
    bells.remove(callId);
  }

  boolean isEmpty() {
    return bells.isEmpty();
  }
}
