package agentengine.http;

import agentengine.json.Json;
import agentengine.model.ModelAnswer;
import agentengine.model.ToolRequest;
import agentengine.session.Message;
import agentengine.session.Origin;
import agentengine.session.Session;
import agentengine.session.SessionTree;
import agentengine.turn.PendingCall;
import agentengine.turn.SessionUsage;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sessions and messages as the API shows them. */
final class SessionJson {
  private SessionJson() {}

  static ObjectNode listItem(Session session) {
    return Json.object()
        .put("id", session.id())
        .put("agent", session.agent())
        .put("created_at", session.createdAt().toString())
        .put("message_count", session.messageCount());
  }

  /** A session with what is said in it and below it; gates are open on the root only. */
  static ObjectNode detail(
      SessionTree tree, List<PendingCall> pending, Map<String, SessionUsage> usage) {
    Session session = tree.session();
    ObjectNode json = listItem(session);
    json.put("message_count", tree.messages().size());
    // The session of a task was begun through no schema.
    json.put("schema", session.schema().isEmpty() ? null : session.schema());
    json.put("status", session.status().wireName());
    json.set("usage", usage(usage.getOrDefault(session.id(), SessionUsage.NONE)));
    ArrayNode open = json.putArray("pending");
    for (PendingCall call : pending) {
      ObjectNode item = open.addObject();
      item.put("call_id", call.callId()).put("tool", call.tool()).set("input", call.input());
    }
    ArrayNode list = json.putArray("messages");
    tree.messages().forEach(message -> list.add(message(message)));
    ArrayNode children = json.putArray("children");
    tree.children().forEach(child -> children.add(detail(child, List.of(), usage)));
    return json;
  }

  private static ObjectNode usage(SessionUsage usage) {
    ObjectNode json =
        Json.object()
            .put("input_tokens", usage.inputTokens())
            .put("output_tokens", usage.outputTokens())
            .put("tokens", usage.tokens());
    putCost(json, usage.costNanos());
    return json;
  }

  /** In USD, where it is known. */
  private static void putCost(ObjectNode json, @Nullable Long nanos) {
    if (nanos != null) {
      json.put("cost", nanos / 1e9);
    }
  }

  private static ObjectNode message(Message message) {
    ObjectNode json = Json.object();
    json.put("id", message.id());
    json.put("role", message.role().wireName());
    json.put("content", message.content());
    json.put("agent", message.agent());
    json.put("created_at", message.createdAt().toString());
    if (!message.toolRequests().isEmpty()) {
      ArrayNode calls = json.putArray("tool_calls");
      for (ToolRequest request : message.toolRequests()) {
        ObjectNode call = calls.addObject();
        call.put("call_id", request.callId());
        call.put("tool", request.tool());
        call.set("input", input(request));
      }
    }
    if (message.callId() != null) {
      json.put("call_id", message.callId());
    }
    if (message.tokens() != null) {
      json.put("tokens", message.tokens());
    }
    if (message.origin() != null) {
      putOrigin(json, message.origin());
    }
    return json;
  }

  private static void putOrigin(ObjectNode json, Origin origin) {
    ModelAnswer.Usage usage = origin.usage();
    json.put("model", origin.model());
    json.putObject("usage")
        .put("input_tokens", usage.inputTokens())
        .put("output_tokens", usage.outputTokens())
        .put("cached_tokens", usage.cachedTokens())
        .put("reasoning_tokens", usage.reasoningTokens())
        .put("estimated", usage.estimated());
    putCost(json, origin.costNanos());
  }

  /** The arguments as JSON, or as the text the model wrote when they are none. */
  static JsonNode input(ToolRequest request) {
    if (request.arguments().isBlank()) {
      return Json.object();
    }
    try {
      return Json.parse(request.arguments());
    } catch (UncheckedIOException _) {
      return TextNode.valueOf(request.arguments());
    }
  }
}
