package agentengine.turn;

import agentengine.db.StoreUnavailable;
import agentengine.error.ErrorCode;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** A root turn that runs in this process, on a virtual thread of its own. */
final class TurnRun implements Runnable {
  private static final Logger LOG = System.getLogger(TurnRun.class.getName());

  /** Told when the thread is done, and whether nothing is left to do for this process. */
  interface Finished {
    void finished(TurnRun run, boolean settled);
  }

  private final TurnContext turn;
  private final TurnLog log;
  private final Finished finished;

  TurnRun(TurnContext turn, TurnLog log, Finished finished) {
    this.turn = turn;
    this.log = log;
    this.finished = finished;
  }

  TurnLog log() {
    return log;
  }

  TurnContext turn() {
    return turn;
  }

  TurnKey key() {
    return turn.key();
  }

  TurnControl control() {
    return turn.control();
  }

  /** What the turn's own model calls used so far. */
  int tokens() {
    return turn.state().spent().tokens();
  }

  @Override
  public void run() {
    boolean settled = false;
    try {
      new TurnLoop(turn).run();
      settled = true;
    } catch (TurnStopped _) {
      settled = turn.control().ending() == TurnControl.Ending.SHUTDOWN;
    } catch (LostTurnException e) {
      LOG.log(Level.WARNING, e.getMessage());
    } catch (StoreUnavailable e) {
      LOG.log(Level.ERROR, "a turn could not be stored: " + e.getMessage());
      leaveForLater("the store failed: " + e.getMessage() + "; the turn goes on when it works");
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a turn could not be stored", e);
      leaveForLater("the store failed; the turn goes on when it works");
    } finally {
      log.end();
      finished.finished(this, settled);
    }
  }

  /** The store does not take the turn's end: it stays open there and is taken up again later. */
  private void leaveForLater(String message) {
    turn.journal().tell(new TurnEvent.Failed(ErrorCode.INTERNAL_ERROR, message));
  }
}
