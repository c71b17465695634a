package agentengine.turn;

import agentengine.db.Database;
import agentengine.db.Ids;
import agentengine.model.ModelClient;
import agentengine.session.Conversations;
import agentengine.session.Sessions;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;

/** What a running turn needs of the rest of the engine. */
public record TurnServices(
    Database db,
    Sessions sessions,
    Conversations conversations,
    ModelClient models,
    Ids ids,
    InstantSource clock,
    MeterRegistry meters) {}
