package agentengine.model;

import java.util.List;
import java.util.stream.Collectors;

/** Google's streamed contents: every event a candidate with some more parts. */
record GeminiDialect() implements Dialect {
  /** An event with these parts. */
  static String parts(String... parts) {
    return Dialect.sse(
        """
        {"candidates":[{"content":{"parts":[%s],"role":"model"},"index":0}],
        "usageMetadata":{"promptTokenCount":100,"totalTokenCount":100},
        "modelVersion":"m","responseId":"r"}"""
            .formatted(String.join(",", parts)));
  }

  static String call(ToolRequest call) {
    return "{\"functionCall\":" + function(call) + "}";
  }

  static String signedCall(ToolRequest call, String signature) {
    return "{\"functionCall\":"
        + function(call)
        + ",\"thoughtSignature\":"
        + Dialect.quoted(signature)
        + "}";
  }

  private static String function(ToolRequest call) {
    return "{\"name\":\"" + call.tool() + "\",\"args\":" + call.arguments() + "}";
  }

  /** The last event, which says why the model stopped. */
  static String finish(String reason) {
    return Dialect.sse(
        """
        {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},
        "finishReason":"%s","index":0}],
        "usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20,"totalTokenCount":130,
        "cachedContentTokenCount":40,"thoughtsTokenCount":10,
        "promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},
        "modelVersion":"m","responseId":"r"}"""
            .formatted(reason));
  }

  @Override
  public ProviderKind kind() {
    return ProviderKind.GOOGLE;
  }

  @Override
  public String basePath() {
    return "/v1beta";
  }

  @Override
  public String target(String modelName) {
    return "/v1beta/models/" + modelName + ":streamGenerateContent?alt=sse";
  }

  @Override
  public String keyHeader() {
    return "x-goog-api-key: " + ModelCaller.KEY;
  }

  @Override
  public String contentType() {
    return "text/event-stream";
  }

  @Override
  public String begun(Piece... pieces) {
    return List.of(pieces).stream()
        .map(
            piece ->
                switch (piece) {
                  case Piece.Text(String text) -> parts("{\"text\":" + Dialect.quoted(text) + "}");
                  case Piece.Thinking(String text) ->
                      parts("{\"text\":" + Dialect.quoted(text) + ",\"thought\":true}");
                  case Piece.Calls(List<ToolRequest> calls) ->
                      calls.stream().map(call -> parts(call(call))).collect(Collectors.joining());
                })
        .collect(Collectors.joining());
  }

  @Override
  public String end(boolean afterCalls) {
    return finish("STOP");
  }

  @Override
  public ModelAnswer.Usage usage() {
    return new ModelAnswer.Usage(100, 30, 40, 0, 10, false);
  }

  @Override
  public String error(int status, String message) {
    String name =
        switch (status) {
          case 401 -> "UNAUTHENTICATED";
          case 429 -> "RESOURCE_EXHAUSTED";
          case 500 -> "INTERNAL";
          case 503 -> "UNAVAILABLE";
          default -> "INVALID_ARGUMENT";
        };
    return """
    {"error":{"code":%d,"message":%s,"status":"%s"}}"""
        .formatted(status, Dialect.quoted(message), name);
  }

  @Override
  public String errorInStream(int status, String message) {
    return Dialect.sse(error(status, message));
  }

  @Override
  public String talk() {
    return """
    {"systemInstruction":{"parts":[{"text":"You help."}]},
    "contents":[
      {"role":"user","parts":[{"text":"Weather?"}]},
      {"role":"model","parts":[
        {"text":"Looking."},
        {"functionCall":{"name":"weather","args":{"city":"Oslo"}},
          "thoughtSignature":"skip_thought_signature_validator"},
        {"functionCall":{"name":"weather","args":{"city":"Rome"}}}]},
      {"role":"user","parts":[
        {"functionResponse":{"name":"weather","response":{"result":"sunny"}}},
        {"functionResponse":
          {"name":"weather","response":{"result":"rain, \\"they\\" say"}}}]},
      {"role":"model","parts":[{"text":"Sun and rain."}]},
      {"role":"user","parts":[{"text":"Thanks."}]}],
    "tools":[{"functionDeclarations":[{"name":"weather","description":"Tells the weather.",
      "parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}},
        "required":["city"],"additionalProperties":false}}]}]}
    """;
  }
}
