package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Ollama's own chat API: a JSON object a line, and tool calls without ids. */
enum OllamaWire implements WireFormat {
  FORMAT;

  @Override
  public Framing framing() {
    return Framing.JSON_LINES;
  }

  @Override
  public ProviderRequest request(ModelTarget target, ModelRequest request) {
    ObjectNode body = Json.object().put("model", target.model().modelName()).put("stream", true);
    body.set("messages", messages(target.model(), request));
    if (!request.tools().isEmpty()) {
      body.set("tools", OpenAiWire.tools(request.tools()));
    }
    ObjectNode options = Json.object();
    ModelRequest.Sampling sampling = request.sampling();
    if (sampling.temperature() != null) {
      options.put("temperature", sampling.temperature());
    }
    if (sampling.topP() != null) {
      options.put("top_p", sampling.topP());
    }
    if (sampling.maxTokens() != null) {
      options.put("num_predict", sampling.maxTokens());
    }
    if (!options.isEmpty()) {
      body.set("options", options);
    }
    return new ProviderRequest(target.url("/api/chat"), body)
        .withKey("Authorization", "Bearer ", target.model().apiKey());
  }

  private static ArrayNode messages(ModelRecord model, ModelRequest request) {
    ArrayNode messages = Json.array();
    if (!request.system().isBlank()) {
      messages.addObject().put("role", "system").put("content", request.system());
    }
    for (ChatMessage message : request.messages()) {
      ObjectNode json = messages.addObject();
      switch (message) {
        case ChatMessage.User(String text) -> json.put("role", "user").put("content", text);
        case ChatMessage.Assistant assistant -> assistant(json, model, assistant);
        case ChatMessage.ToolResult(var _, String tool, String output) ->
            json.put("role", "tool")
                .put("tool_name", WireText.legalName(tool))
                .put("content", output);
      }
    }
    return messages;
  }

  private static void assistant(ObjectNode json, ModelRecord model, ChatMessage.Assistant message) {
    json.put("role", "assistant").put("content", message.text());
    Carry carry = message.carry();
    if (carry != null && carry.isFor(model)) {
      json.set("thinking", carry.content());
    }
    if (!message.toolRequests().isEmpty()) {
      ArrayNode calls = json.putArray("tool_calls");
      for (ToolRequest request : message.toolRequests()) {
        calls
            .addObject()
            .putObject("function")
            .put("name", WireText.legalName(request.tool()))
            .set("arguments", WireText.arguments(request));
      }
    }
  }

  @Override
  public EventReader reader(ModelTarget target, AnswerDraft draft) {
    return new Reader(draft);
  }

  private static final class Reader implements EventReader {
    private final AnswerDraft draft;
    private final StringBuilder thinking = new StringBuilder();

    Reader(AnswerDraft draft) {
      this.draft = draft;
    }

    @Override
    public void take(String data) {
      JsonNode event = WireText.event(data);
      if (WireText.isGiven(event.path("error"))) {
        throw ProviderFailures.inStream(event.path("error"));
      }
      JsonNode message = event.path("message");
      String thought = message.path("thinking").asText("");
      thinking.append(thought);
      draft.thinking(thought);
      draft.text(message.path("content").asText(""));
      for (JsonNode call : message.path("tool_calls")) {
        JsonNode function = call.path("function");
        String arguments = Json.write(function.path("arguments"));
        draft.countCall();
        draft.count(arguments);
        draft.call(null, function.path("name").asText(""), arguments);
      }
      if (event.path("done").asBoolean()) {
        end(event);
      }
    }

    private void end(JsonNode event) {
      if (event.has("prompt_eval_count") && event.has("eval_count")) {
        draft.usage(
            ModelAnswer.Usage.of(
                event.path("prompt_eval_count").asInt(), event.path("eval_count").asInt()));
      }
      if (!thinking.isEmpty()) {
        draft.carry(Json.text(thinking.toString()));
      }
      draft.complete();
    }
  }
}
