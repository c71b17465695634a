package agentengine.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** One administrative act: who did what to what, and when. */
public record AdminEvent(
    long id, String actor, String action, String target, ObjectNode details, Instant createdAt) {}
