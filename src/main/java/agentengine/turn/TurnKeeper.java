package agentengine.turn;

import agentengine.db.NodeLease;
import agentengine.error.ErrorCode;
import agentengine.model.ModelRecord;
import agentengine.session.Message;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Keeps turns going that nobody works on: those an earlier process or another node left behind, and
 * those whose end the store did not take. Also ends turns that run too long, or whose cancelling
 * came through another node or before their thread had begun.
 */
final class TurnKeeper implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TurnKeeper.class.getName());
  private static final Duration PERIOD = Duration.ofSeconds(2);
  private static final Duration KEYS_PERIOD = Duration.ofHours(1);
  private static final String KEY_IS_GONE =
      "this turn used a key that came with its request, which is gone after a restart; send the"
          + " message again";

  /** A turn of this process whose end could not be stored, and the model it was given. */
  private record Left(TurnKey key, @Nullable ModelRecord override) {}

  private final TurnServices services;
  private final NodeLease lease;
  private final Turns turns;
  private final Set<Left> again = ConcurrentHashMap.newKeySet();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("turn-keeper").unstarted(this::run);
  private volatile boolean closed;
  private long keysForgottenAt;

  TurnKeeper(TurnServices services, NodeLease lease, Turns turns) {
    this.services = services;
    this.lease = lease;
    this.turns = turns;
  }

  /** Renews the lease and takes up what is there once, before the first request comes. */
  void start() {
    lease.renew();
    takeUpOrphans();
    thread.start();
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(PERIOD.toNanos());
      if (closed) {
        return;
      }
      try {
        if (services.db().shared()) {
          lease.renew();
        }
        ringDecided();
        endCancelled();
        endOverdue();
        takeUpOrphans();
        forgetOldKeys();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "turns could not be looked after; trying again", e);
      }
    }
  }

  private void forgetOldKeys() {
    long now = services.clock().millis();
    if (now - keysForgottenAt > KEYS_PERIOD.toMillis()) {
      keysForgottenAt = now;
      services
          .db()
          .write(
              handle -> {
                IdempotencyKeys.forgetOld(handle, now);
                return null;
              });
    }
  }

  /** Words that came through another node. */
  private void ringDecided() {
    if (services.db().shared() && !services.gates().isEmpty()) {
      services
          .db()
          .read(handle -> services.ledger().decided(handle))
          .forEach(services.gates()::ring);
    }
  }

  private void endCancelled() {
    List<String> sessions =
        services.db().read(handle -> TurnStore.cancelRequested(handle, lease.id()));
    for (String session : sessions) {
      TurnRun run = turns.running().get(session);
      if (run != null) {
        run.control().end(TurnControl.Ending.CANCELLED);
      }
    }
  }

  private void endOverdue() {
    long limit = turns.limits().turn().toNanos();
    for (TurnRun run : turns.running().values()) {
      if (run.control().spentNanos() > limit) {
        run.control().end(TurnControl.Ending.TIME_LIMIT);
      }
    }
  }

  /** Notes a turn of this very process whose end could not be stored. */
  void takeUpAgain(TurnContext turn) {
    again.add(new Left(turn.key(), turn.override()));
  }

  private void takeUpOrphans() {
    Long now = services.db().shared() ? services.clock().millis() : null;
    List<TurnStore.Orphan> orphans =
        services.db().read(handle -> TurnStore.orphans(handle, lease.id(), now));
    orphans.forEach(orphan -> takeUp(orphan, null));
    for (Left left : List.copyOf(again)) {
      services
          .db()
          .read(handle -> TurnStore.open(handle, left.key()))
          .ifPresent(open -> takeUp(open, left.override()));
      again.remove(left);
    }
  }

  private void takeUp(TurnStore.Orphan orphan, @Nullable ModelRecord override) {
    Optional<TurnKey> claimed =
        services.db().write(handle -> TurnStore.claim(handle, orphan.key(), lease.id()));
    claimed.ifPresent(
        key -> {
          try {
            resume(key, orphan, override);
          } catch (RuntimeException e) {
            // It is ours now, so nobody else will find it.
            LOG.log(Level.WARNING, "a turn could not be taken up; trying again", e);
            again.add(new Left(key, override));
          }
        });
  }

  /** Rebuilds the turn from what was committed, and lets it go on from there. */
  private void resume(TurnKey key, TurnStore.Orphan orphan, @Nullable ModelRecord override) {
    LOG.log(
        Level.INFO,
        "taking up turn {0} of session {1} again, attempt {2}",
        key.number(),
        key.sessionId(),
        key.attempt());
    Optional<Casts.Cast> cast =
        services.db().read(handle -> services.casts().view(handle).cast(handle, orphan.agent()));
    if (cast.isEmpty()) {
      abandon(key, orphan, "the agent or its model was deleted while the turn was open");
      return;
    }
    if (orphan.overridden() && override == null) {
      abandon(key, orphan, KEY_IS_GONE);
      return;
    }
    int budget = cast.get().agent().spec().maxContextSize();
    List<Message> conversation =
        services.conversations().tailWithTurn(key.sessionId(), key.number(), budget);
    TurnLog log = new TurnLog();
    services
        .db()
        .read(handle -> TurnEvents.of(handle, key.sessionId(), key.number()))
        .forEach(log::append);
    TurnState state = new TurnState(key, orphan.agent(), conversation, orphan.spent());
    Lineage lineage =
        Lineage.root(key.sessionId(), orphan.userId(), orphan.taskId(), orphan.agent());
    turns.launch(
        new TurnContext(
            services,
            cast.get(),
            state,
            lineage,
            new RootJournal(services.db(), key, log),
            control(orphan),
            override),
        log);
  }

  private static TurnControl control(TurnStore.Orphan orphan) {
    TurnControl control = new TurnControl();
    if (orphan.cancelled()) {
      control.end(TurnControl.Ending.CANCELLED);
    }
    return control;
  }

  /** Nobody can give the answer: ends the turn, with all that is open below it. */
  private void abandon(TurnKey key, TurnStore.Orphan orphan, String why) {
    TurnStatus status = orphan.cancelled() ? TurnStatus.CANCELLED : TurnStatus.FAILED;
    TurnEvent.Failed failure =
        orphan.cancelled()
            ? TurnFailure.of(TurnControl.Ending.CANCELLED).event()
            : new TurnEvent.Failed(ErrorCode.MODEL_ERROR, why);
    services
        .db()
        .write(
            handle -> {
              TurnStore.finish(
                  handle,
                  key,
                  status,
                  orphan.spent().withBelow(SubTurns.spentBelow(handle, key)),
                  services.clock().millis());
              EventId id = new EventId(key.number(), key.attempt(), 1);
              TurnEvents.insert(handle, key.sessionId(), new LoggedEvent(id, failure));
              OpenCalls.close(handle, services, key.sessionId());
              services.sessions().endTurn(handle, key.sessionId(), 0);
              if (orphan.taskId() != null && orphan.cancelled()) {
                services.tasks().cancelled(handle, orphan.taskId());
              } else if (orphan.taskId() != null) {
                services.tasks().failed(handle, orphan.taskId(), failure.message());
              }
              return null;
            });
    services.metrics().turnEnded(orphan.agent(), status, 0);
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
