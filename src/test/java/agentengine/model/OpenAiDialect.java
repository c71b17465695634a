package agentengine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Chat completions, as their inventor and six others speak them. */
record OpenAiDialect(ProviderKind kind) implements Dialect {
  private static final int PIECE = 5;

  @Override
  public String basePath() {
    return switch (kind) {
      case AZURE_OPENAI -> "";
      case ZAI -> "/api/paas/v4";
      case OPENROUTER -> "/api/v1";
      default -> "/v1";
    };
  }

  @Override
  public String target(String modelName) {
    return kind == ProviderKind.AZURE_OPENAI
        ? "/openai/deployments/" + modelName + "/chat/completions?api-version=2024-10-21"
        : basePath() + "/chat/completions";
  }

  @Override
  public String keyHeader() {
    return kind == ProviderKind.AZURE_OPENAI
        ? "api-key: " + ModelCaller.KEY
        : "Authorization: Bearer " + ModelCaller.KEY;
  }

  @Override
  public String contentType() {
    return kind == ProviderKind.ZAI ? "text/event-stream;charset=UTF-8" : "text/event-stream";
  }

  @Override
  public String begun(Piece... pieces) {
    StringBuilder stream = new StringBuilder();
    switch (kind) {
      case AZURE_OPENAI ->
          stream.append(
              Dialect.sse(
                  """
                  {"choices":[],"created":0,"id":"","model":"","object":"",
                  "prompt_filter_results":[{"prompt_index":0,"content_filter_results":{
                  "hate":{"filtered":false,"severity":"safe"}}}]}"""));
      case OPENROUTER -> stream.append(": OPENROUTER PROCESSING\n\n");
      default -> {}
    }
    stream.append(delta("{\"role\":\"assistant\",\"content\":\"\"}"));
    for (Piece piece : pieces) {
      switch (piece) {
        case Piece.Text(String text) ->
            stream.append(delta("{\"content\":" + Dialect.quoted(text) + "}"));
        case Piece.Thinking(String text) -> stream.append(delta(thought(text)));
        case Piece.Calls(List<ToolRequest> calls) -> stream.append(calls(calls));
      }
    }
    return stream.toString();
  }

  private String thought(String text) {
    String quoted = Dialect.quoted(text);
    return switch (kind) {
      case OPENROUTER ->
          "{\"content\":\"\",\"reasoning\":"
              + quoted
              + ",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":"
              + quoted
              + ",\"format\":\"unknown\",\"index\":0}]}";
      case MISTRAL ->
          "{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":"
              + quoted
              + "}]}]}";
      default -> "{\"content\":null,\"reasoning_content\":" + quoted + "}";
    };
  }

  private String calls(List<ToolRequest> calls) {
    // These three send a call in one piece; of the others the pieces may come in turns.
    return switch (kind) {
      case MISTRAL, XAI, ZAI ->
          delta(
              "{\"tool_calls\":["
                  + calls.stream()
                      .map(call -> opening(calls.indexOf(call), call, call.arguments()))
                      .collect(Collectors.joining(","))
                  + "]}");
      default -> inTurns(calls);
    };
  }

  private static String inTurns(List<ToolRequest> calls) {
    List<String> pieces = new ArrayList<>();
    int longest = calls.stream().mapToInt(call -> call.arguments().length()).max().orElse(0);
    for (int i = 0; i < calls.size(); i++) {
      pieces.add(opening(i, calls.get(i), ""));
    }
    for (int from = 0; from < longest; from += PIECE) {
      for (int i = 0; i < calls.size(); i++) {
        String arguments = calls.get(i).arguments();
        if (from < arguments.length()) {
          String part = arguments.substring(from, Math.min(from + PIECE, arguments.length()));
          pieces.add(
              "{\"index\":" + i + ",\"function\":{\"arguments\":" + Dialect.quoted(part) + "}}");
        }
      }
    }
    return pieces.stream()
        .map(piece -> delta("{\"tool_calls\":[" + piece + "]}"))
        .collect(Collectors.joining());
  }

  private static String opening(int index, ToolRequest call, String arguments) {
    return """
    {"index":%d,"id":"%s","type":"function","function":{"name":"%s","arguments":%s}}"""
        .formatted(index, call.callId(), call.tool(), Dialect.quoted(arguments));
  }

  static String delta(String delta) {
    return Dialect.sse(
        """
        {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",
        "choices":[{"index":0,"delta":%s,"finish_reason":null}]}"""
            .formatted(delta));
  }

  @Override
  public String end(boolean afterCalls) {
    return ended(afterCalls ? "tool_calls" : "stop");
  }

  private String ended(String reason) {
    String last =
        """
        {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"m",
        "choices":[{"index":0,"delta":{"content":""},"finish_reason":"%s"}]%s}""";
    // Some put the usage into the last chunk, some into one more without a choice.
    String usage = ",\"usage\":" + usageText();
    return switch (kind) {
          case DEEPSEEK, MISTRAL, ZAI -> Dialect.sse(last.formatted(reason, usage));
          default ->
              Dialect.sse(last.formatted(reason, ""))
                  + Dialect.sse(
                      """
                  {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[]%s}"""
                          .formatted(usage));
        }
        + "data: [DONE]\n\n";
  }

  private String usageText() {
    return switch (kind) {
      case DEEPSEEK ->
          """
          {"prompt_tokens":100,"completion_tokens":30,"total_tokens":130,
          "prompt_cache_hit_tokens":40,"prompt_cache_miss_tokens":60,
          "completion_tokens_details":{"reasoning_tokens":10}}""";
      case MISTRAL ->
          """
          {"prompt_tokens":100,"completion_tokens":30,"total_tokens":130}""";
      case XAI ->
          """
          {"prompt_tokens":100,"completion_tokens":20,"total_tokens":130,
          "prompt_tokens_details":{"text_tokens":100,"cached_tokens":40},
          "completion_tokens_details":{"reasoning_tokens":10}}""";
      case OPENROUTER ->
          """
          {"prompt_tokens":100,"completion_tokens":30,"total_tokens":130,"cost":0.0001,
          "prompt_tokens_details":{"cached_tokens":40,"cache_write_tokens":5},
          "completion_tokens_details":{"reasoning_tokens":10}}""";
      default ->
          """
          {"prompt_tokens":100,"completion_tokens":30,"total_tokens":130,
          "prompt_tokens_details":{"cached_tokens":40},
          "completion_tokens_details":{"reasoning_tokens":10}}""";
    };
  }

  @Override
  public ModelAnswer.Usage usage() {
    return switch (kind) {
      case MISTRAL -> ModelAnswer.Usage.of(100, 30);
      case OPENROUTER -> new ModelAnswer.Usage(100, 30, 40, 5, 10, false);
      default -> new ModelAnswer.Usage(100, 30, 40, 0, 10, false);
    };
  }

  @Override
  public String error(int status, String message) {
    String quoted = Dialect.quoted(message);
    return switch (kind) {
      case MISTRAL ->
          "{\"object\":\"error\",\"message\":" + quoted + ",\"type\":\"e\",\"code\":\"1\"}";
      case XAI -> "{\"code\":\"The caller may not\",\"error\":" + quoted + "}";
      case OPENROUTER -> "{\"error\":{\"code\":" + status + ",\"message\":" + quoted + "}}";
      case AZURE_OPENAI, ZAI ->
          "{\"error\":{\"code\":\"" + status + "\",\"message\":" + quoted + "}}";
      default ->
          "{\"error\":{\"message\":" + quoted + ",\"type\":\"e\",\"param\":null,\"code\":null}}";
    };
  }

  @Override
  public String errorInStream(int status, String message) {
    if (kind != ProviderKind.OPENROUTER) {
      return Dialect.sse(error(status, message));
    }
    return Dialect.sse(
        """
        {"id":"gen-1","object":"chat.completion.chunk","created":1,"model":"m","provider":"p",
        "error":{"code":%d,"message":%s},
        "choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}"""
            .formatted(status, Dialect.quoted(message)));
  }

  @Override
  public String talk() {
    String usual =
        """
    {"messages":[
      {"role":"system","content":"You help."},
      {"role":"user","content":"Weather?"},
      {"role":"assistant","content":"Looking.","tool_calls":[
        {"id":"id-1","type":"function",
          "function":{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"}},
        {"id":"id-2","type":"function",
          "function":{"name":"weather","arguments":"{\\"city\\":\\"Rome\\"}"}}]},
      {"role":"tool","tool_call_id":"id-1","content":"sunny"},
      {"role":"tool","tool_call_id":"id-2","content":"rain, \\"they\\" say"},
      {"role":"assistant","content":"Sun and rain."},
      {"role":"user","content":"Thanks."}],
    "tools":[{"type":"function","function":{
      "name":"weather","description":"Tells the weather.","parameters":
        {"type":"object","properties":{"city":{"type":"string"}},"required":["city"],
        "additionalProperties":false}}}]}
    """;
    // This one insists on the thinking before a call, be it empty.
    return kind == ProviderKind.DEEPSEEK
        ? usual.replace("\"tool_calls\":", "\"reasoning_content\":\"\",\"tool_calls\":")
        : usual;
  }
}
