package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one request says: the messages so far, the tools on offer and how to answer. */
record Conversation(
    String model,
    List<Message> messages,
    List<Tool> tools,
    @Nullable String demandedTool,
    boolean streamed,
    boolean wantsUsage) {

  /** A message, its content reduced to text. */
  record Message(String role, String text) {
    boolean isSystem() {
      return role.equals("system") || role.equals("developer");
    }

    boolean isUser() {
      return role.equals("user");
    }
  }

  /** A tool the client offers, with the schema of its arguments. */
  record Tool(String name, JsonNode parameters) {}

  static Conversation of(JsonNode body) {
    if (!body.isObject()) {
      throw new BadRequest("The body must be a JSON object");
    }
    JsonNode messages = body.path("messages");
    if (!messages.isArray() || messages.isEmpty()) {
      throw new BadRequest("'messages' must be an array with at least one message");
    }
    List<Tool> tools =
        body.path("tools")
            .valueStream()
            .map(tool -> tool.path("function"))
            .map(function -> new Tool(function.path("name").asText(), function.path("parameters")))
            .toList();
    return new Conversation(
        body.path("model").asText("simulator"),
        messages.valueStream().map(Conversation::message).toList(),
        tools,
        demandedTool(body.path("tool_choice"), tools),
        body.path("stream").asBoolean(false),
        body.path("stream_options").path("include_usage").asBoolean(false));
  }

  private static Message message(JsonNode message) {
    JsonNode content = message.path("content");
    String text =
        content.isArray()
            ? content
                .valueStream()
                .map(part -> part.path("text").asText(""))
                .collect(Collectors.joining())
            : content.asText("");
    return new Message(message.path("role").asText(""), text);
  }

  private static @Nullable String demandedTool(JsonNode choice, List<Tool> tools) {
    String named = choice.path("function").path("name").asText("");
    if (!named.isEmpty()) {
      return named;
    }
    return choice.asText("").equals("required") && !tools.isEmpty()
        ? tools.getFirst().name()
        : null;
  }

  /** How many times the model has answered since the user last spoke. */
  int step() {
    return (int) sinceUser().stream().filter(m -> m.role().equals("assistant")).count();
  }

  String userMessage() {
    List<String> texts = userMessages();
    return texts.isEmpty() ? "" : texts.getLast();
  }

  String previousUserMessage() {
    List<String> texts = userMessages();
    return texts.size() < 2 ? "" : texts.get(texts.size() - 2);
  }

  List<String> userMessages() {
    return messages.stream().filter(Message::isUser).map(Message::text).toList();
  }

  String system() {
    return messages.stream()
        .filter(Message::isSystem)
        .map(Message::text)
        .collect(Collectors.joining("\n"));
  }

  /** The tools' results since the user last spoke. */
  List<String> results() {
    return sinceUser().stream().filter(m -> m.role().equals("tool")).map(Message::text).toList();
  }

  String lastResult() {
    List<String> results = results();
    return results.isEmpty() ? "" : results.getLast();
  }

  String summary() {
    return messages.size()
        + (messages.size() == 1 ? " message: " : " messages: ")
        + messages.stream().map(Message::role).collect(Collectors.joining(", "));
  }

  List<String> toolNames() {
    return tools.stream().map(Tool::name).toList();
  }

  /** A token is about four characters, as with real models. */
  int estimatedTokens() {
    return 1 + messages.stream().mapToInt(m -> m.text().length()).sum() / 4;
  }

  private List<Message> sinceUser() {
    int last = messages.size() - 1;
    while (last >= 0 && !messages.get(last).isUser()) {
      last--;
    }
    return messages.subList(last + 1, messages.size());
  }
}
