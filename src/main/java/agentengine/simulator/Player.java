package agentengine.simulator;

import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Plays one step of a script to one client. */
final class Player {
  private final Conversation conversation;
  private final Reply reply;
  private final Answer answer;
  private final Attempts attempts;
  private final Pauses pauses;

  private Duration pace = Duration.ZERO;
  private Cue.@Nullable Finish finish;
  private Cue.@Nullable Usage usage;
  private int toolCalls;
  private int pieces;

  Player(Conversation conversation, Reply reply, Attempts attempts, Pauses pauses) {
    this.conversation = conversation;
    this.reply = reply;
    this.answer = Answer.to(conversation, reply);
    this.attempts = attempts;
    this.pauses = pauses;
  }

  void play(Script.Step step) {
    for (Cue cue : step.cues()) {
      if (!play(cue)) {
        return;
      }
    }
    answer.finish(finishReason(), tokenUsage());
  }

  /** Plays one cue and says whether the step goes on. */
  private boolean play(Cue cue) {
    switch (cue) {
      case Cue.FirstTimes(Cue limited, int times, String key) -> {
        // Counted when reached, so that several limited cues in one step follow one another.
        return attempts.next(key) > times || play(limited);
      }
      case Cue.Ending ending -> {
        end(ending);
        return false;
      }
      case Cue.Output output -> send(output);
      case Cue.Empty() -> {}
      case Cue.Pace(Duration pause) -> pace = pause;
      case Cue.Delay(Duration pause) -> pause(pause);
      case Cue.Usage given -> usage = given;
      case Cue.Finish given -> finish = given;
    }
    return true;
  }

  private void send(Cue.Output output) {
    switch (output) {
      case Cue.Say(Template text) -> each(Text.words(text.fill(conversation)), answer::text);
      case Cue.Chunk(Template text) -> each(Stream.of(text.fill(conversation)), answer::text);
      case Cue.Words(int count) -> each(Text.numberedWords(count), answer::text);
      case Cue.Think(Template text) -> each(Text.words(text.fill(conversation)), answer::thinking);
      case Cue.ToolCall call -> call(call);
      case Cue.Line(String line) -> each(Stream.of(line), answer::line);
      case Cue.Stall(Duration pause) -> {
        answer.begin();
        pause(pause);
      }
    }
  }

  private void end(Cue.Ending ending) {
    switch (ending) {
      case Cue.HttpError(int status, String retryAfter, String code, String message) ->
          reply.error(new ApiError(status, code, message), retryAfter);
      case Cue.Html(int status) -> reply.html(status);
      case Cue.StreamError(String message) -> answer.fail(new ApiError(500, null, message));
      case Cue.End() -> answer.end();
      case Cue.Never() -> {
        pause(Pauses.MAX);
        throw new CloseConnectionException("The script ends without an answer");
      }
      case Cue.Cut() -> {
        answer.flush();
        throw new CloseConnectionException("The script cuts the connection");
      }
    }
  }

  private void call(Cue.ToolCall call) {
    String arguments = call.arguments().fillJson(conversation);
    each(ToolPiece.of(call, toolCalls, arguments).stream(), answer::toolCall);
    toolCalls++;
  }

  private <T> void each(Stream<T> parts, Consumer<T> send) {
    parts.forEach(
        part -> {
          if (pace.isPositive()) {
            answer.flush();
            pauses.pace(pace);
          }
          send.accept(part);
          pieces++;
        });
  }

  private void pause(Duration duration) {
    answer.flush();
    pauses.pause(duration);
  }

  private @Nullable String finishReason() {
    if (finish != null) {
      return finish.reason();
    }
    return toolCalls > 0 ? "tool_calls" : "stop";
  }

  private @Nullable TokenUsage tokenUsage() {
    if (conversation.streamed() && !conversation.wantsUsage()) {
      return null;
    }
    return switch (usage) {
      case null -> new TokenUsage(conversation.estimatedTokens(), pieces);
      case Cue.Usage.None() -> null;
      case Cue.Usage.Figures(int prompt, int completion) -> new TokenUsage(prompt, completion);
    };
  }
}
