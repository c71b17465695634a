package agentengine.turn;

import agentengine.log.LogContext;
import agentengine.trace.Tracing;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs the calls of a step side by side: a lane each, and within a lane one after the other. */
final class Lanes {
  private final TurnContext turn;
  private final Consumer<Integer> call;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * @param call takes the call with this index through to its end
   */
  Lanes(TurnContext turn, Consumer<Integer> call) {
    this.turn = turn;
    this.call = call;
  }

  /** Returns when all lanes have ended; throws what the first one to fail threw. */
  void run(Collection<List<Integer>> lanes) {
    if (lanes.size() <= 1) {
      lanes.forEach(lane -> lane.forEach(call));
      return;
    }
    lanes.stream().map(this::start).toList().forEach(Lanes::joinFully);
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private Thread start(List<Integer> lane) {
    String sessionId = turn.lineage().rootSessionId();
    return Thread.ofVirtual()
        .name("tool-" + sessionId)
        .start(Tracing.carried(() -> LogContext.run(sessionId, () -> runLane(lane))));
  }

  private void runLane(List<Integer> lane) {
    try {
      lane.forEach(call);
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
      // The others must not go on for a turn that has to be taken up anew.
      turn.control().end(TurnControl.Ending.ABANDONED);
    }
  }

  private static void joinFully(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
