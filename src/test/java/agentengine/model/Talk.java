package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A conversation that has everything in it, and how to compare it with what was sent. */
final class Talk {
  static final ToolDefinition WEATHER =
      new ToolDefinition(
          "weather",
          "Tells the weather.",
          Json.parseObject(
              """
              {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],\
              "additionalProperties":false}"""));
  static final ToolRequest OSLO = new ToolRequest("call-1", "weather", "{\"city\":\"Oslo\"}");
  static final ToolRequest ROME = new ToolRequest("call-2", "weather", "{\"city\":\"Rome\"}");
  static final ToolRequest LIMA = new ToolRequest("call-3", "weather", "{\"city\":\"Lima\"}");
  static final ModelRequest.Sampling NO_SAMPLING = new ModelRequest.Sampling(null, null, null);

  private static final Set<String> ID_FIELDS = Set.of("id", "tool_call_id", "tool_use_id");

  private Talk() {}

  static ModelRequest whole() {
    return request(
        new ChatMessage.User("Weather?"),
        new ChatMessage.Assistant("Looking.", List.of(OSLO, ROME)),
        new ChatMessage.ToolResult("call-1", "weather", "sunny"),
        new ChatMessage.ToolResult("call-2", "weather", "rain, \"they\" say"),
        new ChatMessage.Assistant("Sun and rain.", List.of()),
        new ChatMessage.User("Thanks."));
  }

  static ModelRequest request(ChatMessage... messages) {
    return new ModelRequest("You help.", List.of(messages), List.of(WEATHER), NO_SAMPLING);
  }

  /** The step after an answer: its calls have the results that are given here, in their order. */
  static ModelRequest after(ModelAnswer answer, String... results) {
    List<ChatMessage> messages = new ArrayList<>();
    messages.add(new ChatMessage.User("Weather?"));
    messages.add(new ChatMessage.Assistant(answer.text(), answer.toolRequests(), answer.carry()));
    for (int i = 0; i < results.length; i++) {
      ToolRequest call = answer.toolRequests().get(i);
      messages.add(new ChatMessage.ToolResult(call.callId(), call.tool(), results[i]));
    }
    return request(messages.toArray(ChatMessage[]::new));
  }

  static ModelRequest sampled(ModelRequest.Sampling sampling) {
    return new ModelRequest(
        "You help.", List.of(new ChatMessage.User("Hello")), List.of(), sampling);
  }

  /** The same with ids that say only which belong together: how they look is nobody's business. */
  static JsonNode withPlainIds(JsonNode body) {
    List<String> seen = new ArrayList<>();
    JsonNode copy = body.deepCopy();
    rename(copy, seen);
    return copy;
  }

  private static void rename(JsonNode node, List<String> seen) {
    if (node instanceof ObjectNode object) {
      for (String name : ID_FIELDS) {
        if (object.path(name).isTextual()) {
          String id = object.path(name).textValue();
          if (!seen.contains(id)) {
            seen.add(id);
          }
          object.put(name, "id-" + (seen.indexOf(id) + 1));
        }
      }
    }
    node.forEach(child -> rename(child, seen));
  }
}
