package agentengine.cli;

import java.util.List;
import java.util.regex.Pattern;

/** What a person may type. */
sealed interface Line {
  /** What can be typed beside messages. */
  List<String> HELP =
      List.of(
          "/new     begin a new session",
          "/quit    end; so does Ctrl-D",
          "/help    this text",
          "Ctrl-C   cancel the answer that is coming, and end");

  Pattern COMMAND = Pattern.compile("/[a-z]+");

  /** Nothing. */
  record Blank() implements Line {}

  /** The wish to end. */
  record Quit() implements Line {}

  /** The wish to know what can be typed. */
  record Help() implements Line {}

  /** The wish to begin anew. */
  record NewSession() implements Line {}

  /** A misspelt command. */
  record Unknown(String word) implements Line {}

  /** Something for the agent. */
  record Message(String text) implements Line {}

  static Line of(String typed) {
    String text = typed.strip();
    return switch (text) {
      case "" -> new Blank();
      case "/quit" -> new Quit();
      case "/help" -> new Help();
      case "/new" -> new NewSession();
      default -> COMMAND.matcher(text).matches() ? new Unknown(text) : new Message(text);
    };
  }
}
