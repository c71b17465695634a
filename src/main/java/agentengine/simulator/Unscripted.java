package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the simulator answers when nobody wrote a script: enough for a first chat and a demo. */
final class Unscripted {
  /** Slow enough for a person to see that the answer is streamed. */
  private static final Duration PACE = Duration.ofMillis(15);

  private Unscripted() {}

  static Script.Step step(Conversation conversation) {
    if (conversation.step() > 0) {
      return say("Done. The result was: " + Text.shortened(conversation.lastResult()));
    }
    return tool(conversation)
        .map(tool -> call(tool, conversation.userMessage()))
        .orElseGet(() -> say(greeting(conversation)));
  }

  private static Script.Step say(String text) {
    return new Script.Step(List.of(new Cue.Pace(PACE), new Cue.Say(Template.literal(text))));
  }

  private static String greeting(Conversation conversation) {
    int messages = conversation.userMessages().size();
    return "Hello from the simulator: I follow scripts and am not a real model. You said: \""
        + Text.shortened(conversation.userMessage())
        + "\""
        + (messages > 1 ? " (your message number " + messages + " in this conversation)." : ".");
  }

  /** The tool that the client demands, or else one that the user mentions by its name. */
  private static Optional<Conversation.Tool> tool(Conversation conversation) {
    String demanded = conversation.demandedTool();
    return conversation.tools().stream()
        .filter(
            tool ->
                demanded != null
                    ? tool.name().equals(demanded)
                    : mentions(conversation.userMessage(), tool.name()))
        .findFirst();
  }

  private static boolean mentions(String text, String name) {
    return Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])").matcher(text).find();
  }

  private static Script.Step call(Conversation.Tool tool, String userMessage) {
    String arguments = arguments(tool.parameters(), userMessage).toString();
    return new Script.Step(
        List.of(
            new Cue.ToolCall(
                tool.name(),
                Template.literal(arguments),
                new Cue.Label.Regular(),
                new Cue.Label.Regular(),
                2)));
  }

  /** A value for each required argument; the user's words serve for every text. */
  private static ObjectNode arguments(JsonNode schema, String userMessage) {
    ObjectNode arguments = Json.object();
    for (JsonNode required : schema.path("required")) {
      String name = required.asText();
      JsonNode property = schema.path("properties").path(name);
      if (property.path("enum").has(0)) {
        arguments.set(name, property.path("enum").get(0));
      } else {
        switch (property.path("type").asText()) {
          case "integer", "number" -> arguments.put(name, 1);
          case "boolean" -> arguments.put(name, true);
          case "array" -> arguments.putArray(name);
          case "object" -> arguments.set(name, arguments(property, userMessage));
          default -> arguments.put(name, Text.shortened(userMessage));
        }
      }
    }
    return arguments;
  }
}
