package agentengine.model;

import java.util.ArrayList;
import java.util.List;

/** Anthropic's messages: blocks that begin, grow and end, each event named twice. */
record AnthropicDialect() implements Dialect {
  private static final int PIECE = 5;

  /** An event whose name is the type in its data. */
  static String event(String type, String rest) {
    return "event: "
        + type
        + "\n"
        + Dialect.sse("{\"type\":\"" + type + "\"" + (rest.isEmpty() ? "" : "," + rest) + "}");
  }

  /** A block from its beginning to its end. */
  static String block(int index, String start, String... deltas) {
    StringBuilder events = new StringBuilder();
    String at = "\"index\":" + index;
    events.append(event("content_block_start", at + ",\"content_block\":" + start));
    for (String delta : deltas) {
      events.append(event("content_block_delta", at + ",\"delta\":" + delta));
    }
    return events.append(event("content_block_stop", at)).toString();
  }

  static String text(int index, String... pieces) {
    return block(
        index,
        "{\"type\":\"text\",\"text\":\"\"}",
        List.of(pieces).stream()
            .map(piece -> "{\"type\":\"text_delta\",\"text\":" + Dialect.quoted(piece) + "}")
            .toArray(String[]::new));
  }

  static String thinking(int index, String signature, String... pieces) {
    List<String> deltas = new ArrayList<>();
    for (String piece : pieces) {
      deltas.add("{\"type\":\"thinking_delta\",\"thinking\":" + Dialect.quoted(piece) + "}");
    }
    deltas.add("{\"type\":\"signature_delta\",\"signature\":" + Dialect.quoted(signature) + "}");
    return block(
        index,
        "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}",
        deltas.toArray(String[]::new));
  }

  static String toolUse(int index, ToolRequest call) {
    List<String> pieces = new ArrayList<>(List.of(""));
    for (int from = 0; from < call.arguments().length(); from += PIECE) {
      pieces.add(
          call.arguments().substring(from, Math.min(from + PIECE, call.arguments().length())));
    }
    return block(
        index,
        """
        {"type":"tool_use","id":"%s","name":"%s","input":{}}"""
            .formatted(call.callId(), call.tool()),
        pieces.stream()
            .map(
                piece ->
                    "{\"type\":\"input_json_delta\",\"partial_json\":"
                        + Dialect.quoted(piece)
                        + "}")
            .toArray(String[]::new));
  }

  static String start() {
    return event(
            "message_start",
            """
            "message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],
            "stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":50,
            "cache_creation_input_tokens":10,"cache_read_input_tokens":40,"output_tokens":1,
            "cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":0},
            "service_tier":"standard"}}""")
        + event("ping", "");
  }

  static String stop(String reason) {
    return event(
            "message_delta",
            """
            "delta":{"stop_reason":"%s","stop_sequence":null},"usage":{"output_tokens":30}"""
                .formatted(reason))
        + event("message_stop", "");
  }

  static String failure(String type, String message) {
    return event(
        "error",
        "\"error\":{\"type\":\"" + type + "\",\"message\":" + Dialect.quoted(message) + "}");
  }

  @Override
  public ProviderKind kind() {
    return ProviderKind.ANTHROPIC;
  }

  @Override
  public String basePath() {
    return "/v1";
  }

  @Override
  public String target(String modelName) {
    return "/v1/messages";
  }

  @Override
  public String keyHeader() {
    return "x-api-key: " + ModelCaller.KEY;
  }

  @Override
  public String contentType() {
    return "text/event-stream; charset=utf-8";
  }

  @Override
  public String begun(Piece... pieces) {
    StringBuilder stream = new StringBuilder(start());
    int index = 0;
    for (int i = 0; i < pieces.length; i++) {
      List<String> run = new ArrayList<>();
      switch (pieces[i]) {
        case Piece.Text(String text) -> {
          run.add(text);
          while (i + 1 < pieces.length && pieces[i + 1] instanceof Piece.Text(String next)) {
            run.add(next);
            i++;
          }
          stream.append(text(index++, run.toArray(String[]::new)));
        }
        case Piece.Thinking(String text) -> {
          run.add(text);
          while (i + 1 < pieces.length && pieces[i + 1] instanceof Piece.Thinking(String next)) {
            run.add(next);
            i++;
          }
          stream.append(thinking(index++, "c2lnbmVk", run.toArray(String[]::new)));
        }
        case Piece.Calls(List<ToolRequest> calls) -> {
          for (ToolRequest call : calls) {
            stream.append(toolUse(index++, call));
          }
        }
      }
    }
    return stream.toString();
  }

  @Override
  public String end(boolean afterCalls) {
    return stop(afterCalls ? "tool_use" : "end_turn");
  }

  @Override
  public ModelAnswer.Usage usage() {
    return new ModelAnswer.Usage(100, 30, 40, 10, 0, false);
  }

  @Override
  public String error(int status, String message) {
    return """
    {"type":"error","error":{"type":"%s","message":%s},"request_id":"req_1"}"""
        .formatted(type(status), Dialect.quoted(message));
  }

  private static String type(int status) {
    return switch (status) {
      case 401 -> "authentication_error";
      case 429 -> "rate_limit_error";
      case 529 -> "overloaded_error";
      default -> status >= 500 ? "api_error" : "invalid_request_error";
    };
  }

  @Override
  public String errorInStream(int status, String message) {
    return failure(type(status), message);
  }

  @Override
  public String talk() {
    return """
    {"system":[{"type":"text","text":"You help.","cache_control":{"type":"ephemeral"}}],
    "messages":[
      {"role":"user","content":[{"type":"text","text":"Weather?"}]},
      {"role":"assistant","content":[
        {"type":"text","text":"Looking."},
        {"type":"tool_use","id":"id-1","name":"weather","input":{"city":"Oslo"}},
        {"type":"tool_use","id":"id-2","name":"weather","input":{"city":"Rome"}}]},
      {"role":"user","content":[
        {"type":"tool_result","tool_use_id":"id-1","content":"sunny"},
        {"type":"tool_result","tool_use_id":"id-2","content":"rain, \\"they\\" say"}]},
      {"role":"assistant","content":[{"type":"text","text":"Sun and rain."}]},
      {"role":"user","content":[
        {"type":"text","text":"Thanks.","cache_control":{"type":"ephemeral"}}]}],
    "tools":[{"name":"weather","description":"Tells the weather.",
      "input_schema":{"type":"object","properties":{"city":{"type":"string"}},
        "required":["city"],"additionalProperties":false},
      "cache_control":{"type":"ephemeral"}}]}
    """;
  }
}
