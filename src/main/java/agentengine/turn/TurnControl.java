package agentengine.turn;

import agentengine.time.Cancellation;
import org.jspecify.annotations.Nullable;

/** The hold that the outside has on a turn and all its sub-agents, and the time they have spent. */
final class TurnControl {
  /** Why a turn is ended from outside. */
  enum Ending {
    CANCELLED,
    TIME_LIMIT,
    /** Nobody answered a question of a task in time. */
    UNANSWERED,
    /** The process stops; the turn is not over, and the next one carries on. */
    SHUTDOWN,
    /** A part of the turn failed in a way that leaves it to be taken up again. */
    ABANDONED;

    /** Whether the turn's end is to be recorded. */
    boolean isFinal() {
      return this == CANCELLED || this == TIME_LIMIT || this == UNANSWERED;
    }
  }

  private final Cancellation cancellation = new Cancellation();
  private final long startedNanos = System.nanoTime();
  private @Nullable Ending ending;
  private int waiting;
  private long waitingSince;
  private long waitedNanos;

  /** Ends the turn; the first reason counts. */
  synchronized void end(Ending why) {
    if (ending == null) {
      ending = why;
      cancellation.request();
    }
  }

  synchronized @Nullable Ending ending() {
    return ending;
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Throws when the turn is to end. */
  void stopIfEnded() {
    Ending why = ending();
    if (why != null) {
      throw why.isFinal() ? TurnFailure.of(why) : new TurnStopped();
    }
  }

  /** From here until {@link #waitEnds} a person is waited for, which is no time of the turn's. */
  synchronized void waitBegins() {
    if (waiting++ == 0) {
      waitingSince = System.nanoTime();
    }
  }

  synchronized void waitEnds() {
    if (--waiting == 0) {
      waitedNanos += System.nanoTime() - waitingSince;
    }
  }

  synchronized boolean isWaiting() {
    return waiting > 0;
  }

  /** The time since the start without that spent waiting for a person. */
  synchronized long spentNanos() {
    long now = System.nanoTime();
    long waited = waitedNanos + (waiting > 0 ? now - waitingSince : 0);
    return now - startedNanos - waited;
  }
}
