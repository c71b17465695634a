package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.db.Database;
import agentengine.db.Ids;
import agentengine.model.ModelClient;
import agentengine.model.Prices;
import agentengine.session.Conversations;
import agentengine.session.Sessions;
import agentengine.time.Watchdog;
import agentengine.trace.Tracing;
import java.time.InstantSource;
import java.util.function.Supplier;

/** What a running turn needs of the rest of the engine. */
public record TurnServices(
    Database db,
    Sessions sessions,
    Conversations conversations,
    ToolLedger ledger,
    Casts casts,
    Gates gates,
    TaskDesk tasks,
    ModelClient models,
    Prices prices,
    Supplier<TurnLimits> limits,
    Watchdog watchdog,
    Ids ids,
    InstantSource clock,
    TurnMetrics metrics,
    Tracing tracing) {}
