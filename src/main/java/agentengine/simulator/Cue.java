package agentengine.simulator;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One instruction of a script, in the order in which it is played. */
sealed interface Cue {

  /** Whether playing this makes the client wait. */
  default boolean pauses() {
    return false;
  }

  /** A cue that begins the answer, if that has not happened yet. */
  sealed interface Output extends Cue {}

  /** Text, one piece a word. */
  record Say(Template text) implements Output {}

  /** Text in one piece. */
  record Chunk(Template text) implements Output {}

  /** Thinking, one piece a word. */
  record Think(Template text) implements Output {}

  /** Numbered words, one piece each. */
  record Words(int count) implements Output {}

  /** A tool call in so many pieces; the arguments are JSON unless the script asked for no check. */
  record ToolCall(String name, Template arguments, Label index, Label id, int pieces)
      implements Output {}

  /** Bytes of the event stream exactly as given, followed by an empty line. */
  record Line(String text) implements Output {}

  /** Nothing: the way to write an empty answer. */
  record Empty() implements Cue {}

  /** A pause before each piece from here on. */
  record Pace(Duration pause) implements Cue {
    @Override
    public boolean pauses() {
      return pause.isPositive();
    }
  }

  /** A pause here; before the first output it holds back even the status line. */
  record Delay(Duration pause) implements Cue {
    @Override
    public boolean pauses() {
      return true;
    }
  }

  /** A pause after the answer has begun. */
  record Stall(Duration pause) implements Output {
    @Override
    public boolean pauses() {
      return true;
    }
  }

  /** What the answer says about its tokens. */
  sealed interface Usage extends Cue {
    /** The given figures. */
    record Figures(int prompt, int completion) implements Usage {}

    /** Nothing at all. */
    record None() implements Usage {}
  }

  /** The finish reason, or none. */
  record Finish(@Nullable String reason) implements Cue {}

  /** A cue for the first requests that reach it with this key; later ones pass over it. */
  record FirstTimes(Cue cue, int times, String key) implements Cue {
    @Override
    public boolean pauses() {
      return cue.pauses();
    }
  }

  /** A cue after which nothing more of the step is played. */
  sealed interface Ending extends Cue {}

  /** An ending that needs the status line, so that it cannot follow any output. */
  sealed interface Refusal extends Ending {}

  /** An HTTP error instead of an answer. */
  record HttpError(int status, @Nullable String retryAfter, @Nullable String code, String message)
      implements Refusal {}

  /** A web page instead of JSON. */
  record Html(int status) implements Refusal {}

  /** Not one byte. */
  record Never() implements Refusal {
    @Override
    public boolean pauses() {
      return true;
    }
  }

  /** An error object in the middle of the stream, which then ends. */
  record StreamError(String message) implements Ending {}

  /** The connection is closed without an end of the answer. */
  record Cut() implements Ending {}

  /** The answer ends in good order, but without finish reason, usage and {@code [DONE]}. */
  record End() implements Ending {}

  /** An identifier of a tool call that a script may replace or leave out. */
  sealed interface Label {
    /** What a correct model would send. */
    record Regular() implements Label {}

    /** The field is missing. */
    record Missing() implements Label {}

    /** The script's own value. */
    record Given(String value) implements Label {}

    static Label of(@Nullable String option) {
      return switch (option) {
        case null -> new Regular();
        case "none" -> new Missing();
        case String value -> new Given(value);
      };
    }

    /** The value to send, or null when the field is to be missing. */
    default @Nullable String or(String regular) {
      return switch (this) {
        case Regular() -> regular;
        case Missing() -> null;
        case Given(String value) -> value;
      };
    }
  }
}
