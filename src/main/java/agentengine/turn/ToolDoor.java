package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.db.StoreUnavailable;
import agentengine.json.Json;
import agentengine.model.ToolRequest;
import agentengine.time.Durations;
import agentengine.time.Watchdog;
import agentengine.tool.StructuredOutput;
import agentengine.tool.Tool;
import agentengine.tool.ToolFailure;
import agentengine.trace.NoTracing;
import agentengine.trace.Span;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one door through which every tool call goes, whoever asks and whatever the tool is: its
 * arguments are checked against the tool's schema, a person is asked if the tool is gated, the
 * ledger says {@code running}, the tool runs within its time, and its outcome goes back to the
 * {@link ToolStep}, which commits it. After a restart the ledger tells where the call stood.
 */
final class ToolDoor {
  private static final Logger LOG = System.getLogger(ToolDoor.class.getName());
  private static final int MAX_ARGUMENTS = 1024 * 1024;

  /** A call on its way through the door. */
  sealed interface Passage {
    ToolRequest request();

    ToolLedger.Call call();

    /** It may not run, and is not in the ledger yet. */
    record Refused(ToolRequest request, ToolLedger.Call call, String reason) implements Passage {}

    /** A person is asked first. */
    record Asked(
        ToolRequest request,
        ToolLedger.Call call,
        Tool tool,
        ObjectNode arguments,
        String inputHash)
        implements Passage {}

    /** It runs now; after a restart, again. */
    record Started(ToolRequest request, ToolLedger.Call call, Tool tool, ObjectNode arguments)
        implements Passage {}

    /** A restart came between, and it must not run again. */
    record Lost(ToolRequest request, ToolLedger.Call call, String reason) implements Passage {}

    /** It ended before a restart. */
    record Ended(ToolRequest request, ToolLedger.Call call, Outcome outcome) implements Passage {}
  }

  private final TurnContext turn;
  private final TurnServices services;
  private final AgentTools tools;

  ToolDoor(TurnContext turn, AgentTools tools) {
    this.turn = turn;
    this.services = turn.services();
    this.tools = tools;
  }

  /** Decides about a new call, before anything is done about it. */
  Passage admit(ToolRequest request) {
    JsonNode input = input(request);
    ToolLedger.Call call = call(request, input);
    Tool tool = tools.find(request.tool());
    if (tool == null) {
      return new Passage.Refused(request, call, tools.unknown(request.tool()));
    }
    if (!(input instanceof ObjectNode arguments)) {
      return new Passage.Refused(
          request, call, "the arguments are not a JSON object of at most 1 MiB");
    }
    String problem = tool.problem(arguments);
    if (problem != null) {
      return new Passage.Refused(request, call, "the arguments do not fit: " + problem);
    }
    return tools.isGated(tool)
        ? new Passage.Asked(request, call, tool, arguments, ToolLedger.hash(call))
        : new Passage.Started(request, call, tool, arguments);
  }

  Passage refuse(ToolRequest request, String reason) {
    return new Passage.Refused(request, call(request, input(request)), reason);
  }

  /** Decides about a call that an earlier attempt at the turn left, by where it stood. */
  Passage resume(ToolRequest request, ToolLedger.@Nullable Entry entry) {
    if (entry == null) {
      return admit(request);
    }
    if (entry.status().isEnd()) {
      return new Passage.Ended(request, entry.call(), Outcome.of(entry));
    }
    Tool tool = tools.find(request.tool());
    if (tool == null || !(input(request) instanceof ObjectNode arguments)) {
      return new Passage.Lost(request, entry.call(), "the tool was taken away meanwhile");
    }
    if (entry.status() == ToolLedger.Status.WAITING) {
      String hash = entry.inputHash() == null ? "" : entry.inputHash();
      return new Passage.Asked(request, entry.call(), tool, arguments, hash);
    }
    return tool.effect().mayRunAgain()
        ? new Passage.Started(request, entry.call(), tool, arguments)
        : new Passage.Lost(request, entry.call(), "interrupted, outcome unknown");
  }

  /** Takes a call through to its outcome; blocks for as long as that takes. */
  Outcome pass(Passage passage) {
    return switch (passage) {
      case Passage.Refused refused -> Outcome.failed(refused.reason(), 0);
      case Passage.Lost lost -> Outcome.failed(lost.reason(), 0);
      case Passage.Ended ended -> ended.outcome();
      case Passage.Started started -> run(started);
      case Passage.Asked asked -> runIfApproved(asked);
    };
  }

  private Outcome runIfApproved(Passage.Asked asked) {
    ToolLedger.Decision decision = new GateWait(turn).await(asked.call());
    if (decision == null) {
      return endedFromOutside("before anybody had answered", 0);
    }
    return switch (decision.verdict()) {
      case REJECT ->
          Outcome.rejected(
              decision.reason() == null || decision.reason().isBlank()
                  ? "rejected by the user"
                  : "rejected by the user: " + decision.reason());
      case EXPIRED -> {
        if (turn.lineage().taskId() != null) {
          turn.control().end(TurnControl.Ending.UNANSWERED);
        }
        yield Outcome.rejected("rejected: nobody answered in time");
      }
      case APPROVE -> runApproved(asked);
      case ANSWER -> answered(asked, decision.reason() == null ? "" : decision.reason());
    };
  }

  /** A question is a call whose output is what the person said. */
  private Outcome answered(Passage.Asked asked, String answer) {
    turn.journal()
        .commit(
            startedEvents(asked.request(), asked.arguments()),
            handle -> TurnStore.advance(handle, turn.state()));
    return Outcome.completed(TextNode.valueOf(answer), 0);
  }

  private Outcome runApproved(Passage.Asked asked) {
    ToolLedger.Call asShown = call(asked.request(), asked.arguments());
    if (!ToolLedger.hash(asShown).equals(asked.inputHash())) {
      return Outcome.failed("the arguments are not those that were approved", 0);
    }
    turn.journal()
        .commit(
            startedEvents(asked.request(), asked.arguments()),
            handle -> {
              TurnStore.advance(handle, turn.state());
              services.ledger().beginApproved(handle, asked.call().callId());
            });
    return run(new Passage.Started(asked.request(), asked.call(), asked.tool(), asked.arguments()));
  }

  /** What clients are told when a call starts; a structured output stands alone. */
  static List<TurnEvent.ToolStarted> startedEvents(ToolRequest request, JsonNode arguments) {
    return request.tool().equals(StructuredOutput.NAME)
        ? List.of()
        : List.of(new TurnEvent.ToolStarted(request.callId(), request.tool(), arguments));
  }

  private Outcome run(Passage.Started started) {
    Span span = services.tracing().toolCall(started.request().tool(), started.call().callId());
    return span == NoTracing.OFF
        ? untraced(started)
        : span.around(() -> untraced(started), Outcome::problem);
  }

  private Outcome untraced(Passage.Started started) {
    Tool tool = started.tool();
    String callId = started.call().callId();
    long start = System.nanoTime();
    if (turn.control().ending() != null) {
      return endedFromOutside("before the tool ran", start);
    }
    if (tool instanceof SpawnTool spawn) {
      // A sub-agent's turn has limits of its own, and its own ways to be ended.
      return outcome(() -> spawn.run(callId, started.arguments()), start);
    }
    Duration limit =
        tool.timeout() == null ? services.limits().get().tools().run() : tool.timeout();
    try (Watchdog.Watch watch = services.watchdog().watch(limit)) {
      turn.control().cancellation().enter(watch);
      try {
        Outcome outcome = outcome(() -> tool.run(callId, started.arguments()), start);
        if (outcome.kind() == Outcome.Kind.COMPLETED || watch.ending() == null) {
          return outcome;
        }
        return watch.ending() == Watchdog.Ending.STOPPED
            ? endedFromOutside("while the tool ran; whether it took effect is unknown", start)
            : Outcome.failed(
                "no answer within "
                    + Durations.format(limit)
                    + "; whether the call took effect is unknown",
                millisSince(start));
      } finally {
        turn.control().cancellation().leave(watch);
      }
    }
  }

  /** A tool's own work. */
  private interface Work {
    JsonNode run() throws ToolFailure, InterruptedException;
  }

  private static Outcome outcome(Work work, long start) {
    try {
      return Outcome.completed(work.run(), millisSince(start));
    } catch (ToolFailure e) {
      return Outcome.failed(e.reason(), millisSince(start));
    } catch (InterruptedException _) {
      return Outcome.failed("the call was ended", millisSince(start));
    } catch (TurnStopped | LostTurnException | StoreUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a tool failed in an unforeseen way", e);
      return Outcome.failed("the tool failed; the engine's log says more", millisSince(start));
    }
  }

  /** The outcome of a call whose turn was ended; without a final end there is none yet. */
  private Outcome endedFromOutside(String when, long start) {
    TurnControl.Ending why = turn.control().ending();
    if (why == null || !why.isFinal()) {
      throw new TurnStopped();
    }
    String what =
        why == TurnControl.Ending.CANCELLED
            ? "the turn was cancelled "
            : "the turn's time was over ";
    return Outcome.failed(what + when, start == 0 ? 0 : millisSince(start));
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  private ToolLedger.Call call(ToolRequest request, JsonNode input) {
    Lineage lineage = turn.lineage();
    return new ToolLedger.Call(
        request.callId(),
        lineage.rootSessionId(),
        lineage.path(),
        turn.state().agent(),
        request.tool(),
        lineage.userId(),
        Json.write(input),
        services.clock().instant());
  }

  /** The arguments as JSON, or as the text the model wrote when they are none. */
  private static JsonNode input(ToolRequest request) {
    if (request.arguments().isBlank()) {
      return Json.object();
    }
    if (request.arguments().length() > MAX_ARGUMENTS) {
      return TextNode.valueOf(request.arguments().substring(0, 1_000) + "...");
    }
    try {
      return Json.parse(request.arguments());
    } catch (UncheckedIOException _) {
      return TextNode.valueOf(request.arguments());
    }
  }
}
