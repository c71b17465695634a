package agentengine.turn;

import com.fasterxml.jackson.databind.JsonNode;

/** A tool call that waits for a person's word. */
public record PendingCall(String callId, String tool, JsonNode input) {}
