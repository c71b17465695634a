package agentengine.cli;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What is shown of a conversation: the answers on standard output, so that a script gets them and
 * nothing else, and all that happens around them on standard error.
 */
final class Transcript {
  private static final int MAX_NOTE = 120;
  private static final String DIM = "\u001b[2m";
  private static final String PLAIN = "\u001b[0m";

  /** What the line that is not yet ended holds. */
  private enum Pen {
    UP,
    THINKING,
    TEXT,
    PROMPT
  }

  private final Shell shell;
  private final StringBuilder unsettled = new StringBuilder();
  private Pen pen = Pen.UP;

  Transcript(Shell shell) {
    this.shell = shell;
  }

  synchronized void show(ChatEvent event) {
    switch (event) {
      case ChatEvent.Thinking(String content) -> think(content);
      case ChatEvent.MessageDelta(String content) -> {
        write(content);
        unsettled.append(content);
      }
      case ChatEvent.Message(String content) -> settle(content);
      case ChatEvent.ToolCall(String tool, JsonNode input) ->
          note("[calling " + tool + " " + Json.write(input) + "]");
      case ChatEvent.ToolResult(String tool, JsonNode output, String error) ->
          note(
              "["
                  + tool
                  + (error == null ? " returned " + text(output) : " failed: " + error)
                  + "]");
      case ChatEvent.StructuredOutput(JsonNode payload) -> {
        endLine();
        StructuredOutputText.lines(payload).forEach(shell.out()::println);
      }
      case ChatEvent.Failed(String code, String message) -> error(code, message);
      case ChatEvent.Confirmation _, ChatEvent.Done _ -> endLine();
      case ChatEvent.Unknown _ -> {}
    }
    if (event.isDurable()) {
      unsettled.setLength(0);
    }
  }

  /** The engine begins the unfinished part of its answer again. */
  synchronized void startOver() {
    if (!unsettled.isEmpty()) {
      note("[the engine begins this answer again]");
    }
    endLine();
    unsettled.setLength(0);
  }

  synchronized void error(String code, String message) {
    line(ErrorLine.of(code, message));
  }

  /** Something beside the conversation, in one short line. */
  synchronized void note(String text) {
    endLine();
    shell.err().println(dim(Printable.shortened(text, MAX_NOTE)));
  }

  /** Something beside the conversation that must be read whole. */
  synchronized void line(String text) {
    endLine();
    shell.err().println(Printable.oneLine(text));
  }

  /** Lines that must be read as they are. */
  synchronized void block(List<String> lines) {
    endLine();
    lines.forEach(line -> shell.err().println(Printable.clean(line)));
  }

  /** Asks for a line of input. */
  synchronized void prompt(String text) {
    take(Pen.PROMPT);
    shell.err().print(text);
    shell.err().flush();
  }

  /** A line was typed after the prompt: the person's own Enter has ended it on the screen. */
  synchronized void typed() {
    if (shell.interactive()) {
      pen = Pen.UP;
    }
    endLine();
  }

  /** The whole message is the truth; what of it is not on the screen yet is added. */
  private void settle(String message) {
    String shown = unsettled.toString();
    if (message.startsWith(shown)) {
      write(message.substring(shown.length()));
    } else {
      endLine();
      write(message);
    }
    endLine();
  }

  private void think(String content) {
    if (shell.interactive() && !content.isEmpty()) {
      take(Pen.THINKING);
      shell.out().print(dim(Printable.clean(content)));
      shell.out().flush();
    }
  }

  private void write(String content) {
    if (!content.isEmpty()) {
      take(Pen.TEXT);
      shell.out().print(shell.interactive() ? Printable.clean(content) : content);
      shell.out().flush();
    }
  }

  private void take(Pen wanted) {
    if (pen != wanted) {
      endLine();
      pen = wanted;
    }
  }

  synchronized void endLine() {
    switch (pen) {
      case UP -> {}
      case THINKING, TEXT -> shell.out().println();
      case PROMPT -> shell.err().println();
    }
    pen = Pen.UP;
  }

  private String dim(String text) {
    return shell.interactive() ? DIM + text + PLAIN : text;
  }

  private static String text(JsonNode output) {
    return output.isTextual() ? output.textValue() : Json.write(output);
  }
}
