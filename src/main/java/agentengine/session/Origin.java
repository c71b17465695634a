package agentengine.session;

import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.model.Carry;
import agentengine.model.ModelAnswer;
import agentengine.model.ModelRecord;
import agentengine.model.ProviderKind;
import agentengine.model.Served;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Where a message came from: the model that wrote it, and what that took.
 *
 * @param model the name of the model record; of one that came with the request, kind and model
 * @param costNanos in billionths of a USD; null when no price is known
 * @param carry what the model wants to see again within the turn
 */
public record Origin(
    String model, ModelAnswer.Usage usage, @Nullable Long costNanos, @Nullable Carry carry) {

  /** Of an answer; one without calls has no results of tools to come back with. */
  public static Origin of(Served served, @Nullable Long costNanos) {
    ModelAnswer answer = served.answer();
    ModelRecord by = served.by();
    return new Origin(
        by.cameWithRequest() ? by.kind().wireName() + "/" + by.modelName() : by.name(),
        answer.usage(),
        costNanos,
        answer.toolRequests().isEmpty() ? null : answer.carry());
  }

  /** The same without what is of use only within its own turn. */
  Origin withoutCarry() {
    return carry == null ? this : new Origin(model, usage, costNanos, null);
  }

  /** For the store; what is zero is left out. */
  String write() {
    ObjectNode json = Json.object().put("model", model);
    json.put("in", usage.inputTokens()).put("out", usage.outputTokens());
    putCount(json, "cached", usage.cachedTokens());
    putCount(json, "written", usage.cacheWrittenTokens());
    putCount(json, "reasoning", usage.reasoningTokens());
    if (usage.estimated()) {
      json.put("estimated", true);
    }
    if (costNanos != null) {
      json.put("cost", costNanos);
    }
    if (carry != null) {
      json.putObject("carry")
          .put("kind", carry.kind().wireName())
          .put("model", carry.modelName())
          .set("content", carry.content());
    }
    return TextRules.storable(Json.write(json)); // a carry is as the provider wrote it
  }

  private static void putCount(ObjectNode json, String name, int count) {
    if (count != 0) {
      json.put(name, count);
    }
  }

  static Origin read(String text) {
    JsonNode json = Json.parse(text);
    return new Origin(
        json.path("model").asText(),
        new ModelAnswer.Usage(
            json.path("in").asInt(),
            json.path("out").asInt(),
            json.path("cached").asInt(),
            json.path("written").asInt(),
            json.path("reasoning").asInt(),
            json.path("estimated").asBoolean()),
        json.has("cost") ? json.path("cost").asLong() : null,
        carry(json.path("carry")));
  }

  private static @Nullable Carry carry(JsonNode json) {
    return json.isMissingNode()
        ? null
        : new Carry(
            ProviderKind.ofWireName(json.path("kind").asText()).orElseThrow(),
            json.path("model").asText(),
            json.path("content"));
  }
}
