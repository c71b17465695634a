package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.time.Watchdog;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A call at its gate: waits for a person, for the time to pass, or for the end of the turn. */
final class GateWait {
  private final TurnContext turn;
  private final TurnServices services;

  GateWait(TurnContext turn) {
    this.turn = turn;
    this.services = turn.services();
  }

  /** Waits for a person's word; null when the turn ends first. */
  ToolLedger.@Nullable Decision await(ToolLedger.Call call) {
    Instant deadline = call.createdAt().plus(services.limits().get().tools().confirmation());
    turn.control().waitBegins();
    try {
      while (true) {
        CountDownLatch bell = services.gates().bell(call.callId());
        ToolLedger.Decision decision = decision(call.callId());
        if (decision != null) {
          return decision;
        }
        Duration left = Duration.between(services.clock().instant(), deadline);
        if (!left.isPositive()) {
          expire(call.callId());
        } else if (!listen(bell, left)) {
          return null;
        }
      }
    } finally {
      services.gates().forget(call.callId());
      turn.control().waitEnds();
    }
  }

  private ToolLedger.@Nullable Decision decision(String callId) {
    return services
        .db()
        .read(handle -> services.ledger().find(handle, callId))
        .orElseThrow(() -> new IllegalStateException("call " + callId + " is not in the ledger"))
        .decision();
  }

  private void expire(String callId) {
    services
        .db()
        .write(
            handle -> {
              TurnStore.advance(handle, turn.state());
              services
                  .ledger()
                  .decide(
                      handle,
                      callId,
                      new ToolLedger.Decision(ToolLedger.Verdict.EXPIRED, null, null));
              Answers.noteWhetherWaiting(handle, services, turn.lineage().rootSessionId());
              return null;
            });
  }

  /** Waits for the bell or for the time to pass; false when the turn is to end. */
  private boolean listen(CountDownLatch bell, Duration left) {
    try (Watchdog.Watch watch = services.watchdog().watch(left.plusSeconds(60))) {
      turn.control().cancellation().enter(watch);
      try {
        boolean _ = bell.await(left.toNanos(), TimeUnit.NANOSECONDS);
        return true;
      } catch (InterruptedException _) {
        return turn.control().ending() == null;
      } finally {
        turn.control().cancellation().leave(watch);
      }
    }
  }
}
