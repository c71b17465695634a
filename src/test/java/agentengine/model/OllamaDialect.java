package agentengine.model;

import java.util.List;
import java.util.stream.Collectors;

/** The local runtime's chat: a line of JSON a piece. */
record OllamaDialect() implements Dialect {
  /** A line with this much of the message. */
  static String line(String message) {
    return "{\"model\":\"m\",\"created_at\":\"2026-01-01T00:00:00Z\",\"message\":"
        + message
        + ",\"done\":false}\n";
  }

  static String done(String reason) {
    return """
    {"model":"m","created_at":"2026-01-01T00:00:00Z",\
    "message":{"role":"assistant","content":""},"done":true,"done_reason":"%s",\
    "total_duration":5,"load_duration":1,"prompt_eval_count":100,"prompt_eval_duration":1,\
    "eval_count":30,"eval_duration":3}
    """
        .formatted(reason);
  }

  @Override
  public ProviderKind kind() {
    return ProviderKind.OLLAMA;
  }

  @Override
  public String basePath() {
    return "";
  }

  @Override
  public String target(String modelName) {
    return "/api/chat";
  }

  @Override
  public String keyHeader() {
    return "Authorization: Bearer " + ModelCaller.KEY;
  }

  @Override
  public String contentType() {
    return "application/x-ndjson";
  }

  @Override
  public String begun(Piece... pieces) {
    return List.of(pieces).stream()
        .map(
            piece ->
                switch (piece) {
                  case Piece.Text(String text) ->
                      line("{\"role\":\"assistant\",\"content\":" + Dialect.quoted(text) + "}");
                  case Piece.Thinking(String text) ->
                      line(
                          "{\"role\":\"assistant\",\"content\":\"\",\"thinking\":"
                              + Dialect.quoted(text)
                              + "}");
                  case Piece.Calls(List<ToolRequest> calls) ->
                      calls.stream().map(OllamaDialect::call).collect(Collectors.joining());
                })
        .collect(Collectors.joining());
  }

  private static String call(ToolRequest call) {
    return line(
        """
        {"role":"assistant","content":"","tool_calls":[\
        {"function":{"name":"%s","arguments":%s}}]}"""
            .formatted(call.tool(), call.arguments()));
  }

  @Override
  public String end(boolean afterCalls) {
    return done("stop");
  }

  @Override
  public ModelAnswer.Usage usage() {
    return ModelAnswer.Usage.of(100, 30);
  }

  @Override
  public String error(int status, String message) {
    return "{\"error\":" + Dialect.quoted(message) + "}";
  }

  @Override
  public String errorInStream(int status, String message) {
    return error(status, message) + "\n";
  }

  @Override
  public String talk() {
    return """
    {"messages":[
      {"role":"system","content":"You help."},
      {"role":"user","content":"Weather?"},
      {"role":"assistant","content":"Looking.","tool_calls":[
        {"function":{"name":"weather","arguments":{"city":"Oslo"}}},
        {"function":{"name":"weather","arguments":{"city":"Rome"}}}]},
      {"role":"tool","tool_name":"weather","content":"sunny"},
      {"role":"tool","tool_name":"weather","content":"rain, \\"they\\" say"},
      {"role":"assistant","content":"Sun and rain."},
      {"role":"user","content":"Thanks."}],
    "tools":[{"type":"function","function":{
      "name":"weather","description":"Tells the weather.","parameters":
        {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],
        "additionalProperties":false}}}]}
    """;
  }
}
