package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Google's Gemini: contents are lists of parts, and a signature on a part goes back on the same
 * part with the results of the tools.
 */
enum GeminiWire implements WireFormat {
  FORMAT;

  private static final String SIGNATURE = "thoughtSignature";

  /** What Google names for calls that no Gemini made; newer models refuse calls without any. */
  private static final String NO_SIGNATURE = "skip_thought_signature_validator";

  private static final Pattern UNSIGNED_MODELS = Pattern.compile("gemini-[12]\\b.*");

  @Override
  public Framing framing() {
    return Framing.SERVER_SENT_EVENTS;
  }

  @Override
  public ProviderRequest request(ModelTarget target, ModelRequest request) {
    ObjectNode body = Json.object();
    if (!request.system().isBlank()) {
      body.putObject("systemInstruction")
          .putArray("parts")
          .addObject()
          .put("text", request.system());
    }
    body.set("contents", contents(target.model(), request.messages()));
    if (!request.tools().isEmpty()) {
      body.putArray("tools").addObject().set("functionDeclarations", tools(request.tools()));
    }
    ObjectNode generation = generation(target, request.sampling());
    if (!generation.isEmpty()) {
      body.set("generationConfig", generation);
    }
    String path =
        "/models/" + WireText.pathSegment(name(target.model())) + ":streamGenerateContent";
    String url = target.url(path);
    return new ProviderRequest(url + (url.contains("?") ? "&" : "?") + "alt=sse", body)
        .withKey("x-goog-api-key", "", target.model().apiKey());
  }

  /** Google's lists write a model's name with this prefix, and so do people. */
  private static String name(ModelRecord model) {
    String name = model.modelName();
    return name.startsWith("models/") ? name.substring("models/".length()) : name;
  }

  private static ObjectNode generation(ModelTarget target, ModelRequest.Sampling sampling) {
    ObjectNode generation = Json.object();
    if (sampling.temperature() != null) {
      generation.put("temperature", sampling.temperature());
    }
    if (sampling.topP() != null) {
      generation.put("topP", sampling.topP());
    }
    if (sampling.maxTokens() != null) {
      generation.put("maxOutputTokens", sampling.maxTokens());
    }
    if (target.known() != null && target.known().thinking() == RegistryModel.Thinking.INCLUDE) {
      generation.putObject("thinkingConfig").put("includeThoughts", true);
    }
    return generation;
  }

  private static ArrayNode tools(List<ToolDefinition> tools) {
    ArrayNode array = Json.array();
    for (ToolDefinition tool : tools) {
      array
          .addObject()
          .put("name", tool.name())
          .put("description", tool.description())
          .set("parametersJsonSchema", WireText.parameters(tool));
    }
    return array;
  }

  private static ArrayNode contents(ModelRecord model, List<ChatMessage> messages) {
    ArrayNode contents = Json.array();
    ArrayNode parts = Json.array();
    Map<String, JsonNode> ids = new HashMap<>();
    ChatMessage before = null;
    for (ChatMessage message : messages) {
      // All results of one answer's calls belong into one content.
      if (!(message instanceof ChatMessage.ToolResult
          && before instanceof ChatMessage.ToolResult)) {
        boolean assistant = message instanceof ChatMessage.Assistant;
        ObjectNode next = contents.addObject().put("role", assistant ? "model" : "user");
        parts = next.putArray("parts");
      }
      switch (message) {
        case ChatMessage.User(String text) -> parts.addObject().put("text", text);
        case ChatMessage.Assistant assistant -> assistant(parts, model, assistant, ids);
        case ChatMessage.ToolResult result -> result(parts, result, ids.get(result.callId()));
      }
      before = message;
    }
    return contents;
  }

  /**
   * Writes what the model said.
   *
   * @param ids takes the model's own ids of its calls, by ours
   */
  private static void assistant(
      ArrayNode parts,
      ModelRecord model,
      ChatMessage.Assistant message,
      Map<String, JsonNode> ids) {
    List<ToolRequest> calls = message.toolRequests();
    Carry carry = message.carry();
    if (carry != null && carry.isFor(model)) {
      for (JsonNode kept : carry.content()) {
        int call = kept.path(GeminiReader.CALL).asInt(-1);
        if (call < 0) {
          parts.add(kept);
        } else if (call < calls.size()) {
          sameCall(parts, calls.get(call), kept, ids);
        }
      }
      return;
    }
    if (calls.isEmpty() || !message.text().isBlank()) {
      parts.addObject().put("text", message.text().isBlank() ? WireText.NO_TEXT : message.text());
    }
    for (int i = 0; i < calls.size(); i++) {
      ObjectNode part = call(parts, calls.get(i));
      if (i == 0 && !UNSIGNED_MODELS.matcher(name(model)).matches()) {
        part.put(SIGNATURE, NO_SIGNATURE);
      }
    }
  }

  private static void sameCall(
      ArrayNode parts, ToolRequest request, JsonNode kept, Map<String, JsonNode> ids) {
    ObjectNode part = call(parts, request);
    if (kept.has(GeminiReader.ID)) {
      part.withObject("functionCall").set(GeminiReader.ID, kept.path(GeminiReader.ID));
      ids.put(request.callId(), kept.path(GeminiReader.ID));
    }
    if (kept.has(SIGNATURE)) {
      part.set(SIGNATURE, kept.path(SIGNATURE));
    }
  }

  private static ObjectNode call(ArrayNode parts, ToolRequest request) {
    ObjectNode part = parts.addObject();
    part.putObject("functionCall")
        .put("name", WireText.legalName(request.tool()))
        .set("args", WireText.arguments(request));
    return part;
  }

  /** Google wants an object; what is not one becomes one. */
  private static void result(
      ArrayNode parts, ChatMessage.ToolResult result, @Nullable JsonNode id) {
    ObjectNode response = parts.addObject().putObject("functionResponse");
    if (id != null) {
      response.set(GeminiReader.ID, id);
    }
    response.put("name", WireText.legalName(result.tool()));
    try {
      if (Json.parseForeign(result.output()) instanceof ObjectNode object) {
        response.set("response", object);
        return;
      }
    } catch (IllegalArgumentException _) {
      // A text, then.
    }
    response.putObject("response").put("result", result.output());
  }

  @Override
  public EventReader reader(ModelTarget target, AnswerDraft draft) {
    return new GeminiReader(draft);
  }
}
