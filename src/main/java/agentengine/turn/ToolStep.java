package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.model.ModelAnswer;
import agentengine.model.ToolRequest;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.Origin;
import agentengine.session.SessionStatus;
import agentengine.tool.StructuredOutput;
import agentengine.turn.ToolDoor.Passage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the model asks for tools. All calls of one answer are a step. They are admitted
 * in their order and committed together with the answer; then each goes through the {@link
 * ToolDoor}, side by side; an outcome is in the ledger as soon as it is there, and is told, and put
 * into the history, in the order of the calls.
 */
final class ToolStep {
  private static final int MAX_CALLS = 64;

  private final TurnContext turn;
  private final TurnServices services;
  private final ToolDoor door;
  private final List<Passage> passages;

  /** The calls in the order in which they are told: a structured output after all others. */
  private final List<Integer> order;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Outcome> outcomes = new LinkedHashMap<>();
  private final Set<Integer> delivered = new HashSet<>();

  private ToolStep(TurnContext turn, ToolDoor door, List<Passage> passages) {
    this.turn = turn;
    this.services = turn.services();
    this.door = door;
    this.passages = passages;
    this.order =
        IntStream.range(0, passages.size())
            .boxed()
            .sorted(Comparator.comparing(this::shows)) // which keeps the order otherwise
            .toList();
  }

  /**
   * Begins the step: the model's answer and what is decided about its calls are one transaction.
   */
  static ToolStep begin(TurnContext turn, ToolDoor door, ModelAnswer answer, Origin origin) {
    Message assistant = turn.state().assistantMessage(turn.services(), answer, origin);
    List<TurnEvent.Durable> events = new ArrayList<>();
    if (!answer.text().isEmpty()) {
      events.add(new TurnEvent.MessageComplete(answer.text()));
    }
    ToolStep step = new ToolStep(turn, door, admitted(door, assistant.toolRequests()));
    step.commitAdmission(
        step.passages,
        events,
        handle -> {
          Messages.insert(handle, turn.key().sessionId(), assistant);
          turn.services().sessions().addMessages(handle, turn.key().sessionId(), 1);
        });
    turn.state().conversation().add(assistant);
    return step;
  }

  private static List<Passage> admitted(ToolDoor door, List<ToolRequest> requests) {
    List<Passage> passages = new ArrayList<>(requests.size());
    boolean shows = false;
    for (ToolRequest request : requests) {
      Passage passage;
      if (passages.size() >= MAX_CALLS) {
        passage = door.refuse(request, "at most " + MAX_CALLS + " calls are made at a time");
      } else if (shows && request.tool().equals(StructuredOutput.NAME)) {
        passage = door.refuse(request, "only one structured output can be shown in a turn");
      } else {
        passage = door.admit(request);
        shows |=
            request.tool().equals(StructuredOutput.NAME) && !(passage instanceof Passage.Refused);
      }
      passages.add(passage);
    }
    return List.copyOf(passages);
  }

  /** The step that an earlier attempt at the turn left open, if it did. */
  static @Nullable ToolStep left(TurnContext turn, ToolDoor door) {
    List<Message> conversation = turn.state().conversation();
    int last = conversation.size() - 1;
    while (last >= 0 && conversation.get(last).role() == Message.Role.TOOL) {
      last--;
    }
    if (last < 0 || conversation.get(last).toolRequests().isEmpty()) {
      return null;
    }
    List<ToolRequest> requests = conversation.get(last).toolRequests();
    Map<String, ToolLedger.Entry> entries =
        turn
            .services()
            .db()
            .read(handle -> turn.services().ledger().find(handle, callIds(requests)))
            .stream()
            .collect(Collectors.toMap(entry -> entry.call().callId(), Function.identity()));
    ToolStep step =
        new ToolStep(
            turn,
            door,
            requests.stream()
                .map(request -> door.resume(request, entries.get(request.callId())))
                .toList());
    List<Passage> fresh =
        step.passages.stream()
            .filter(passage -> !entries.containsKey(passage.call().callId()))
            .toList();
    if (!fresh.isEmpty()) {
      step.commitAdmission(fresh, List.of(), _ -> {});
    }
    step.skipDelivered(conversation.subList(last + 1, conversation.size()));
    return step;
  }

  private static List<String> callIds(List<ToolRequest> requests) {
    return requests.stream().map(ToolRequest::callId).toList();
  }

  /** Results that are in the history already need no second telling. */
  private void skipDelivered(List<Message> results) {
    for (int index : order) {
      if (passages.get(index) instanceof Passage.Ended ended) {
        outcomes.put(index, ended.outcome());
        String callId = ended.request().callId();
        if (results.stream().anyMatch(result -> callId.equals(result.callId()))) {
          delivered.add(index);
        }
      }
    }
  }

  private void commitAdmission(
      List<Passage> admitted, List<TurnEvent.Durable> before, Consumer<Handle> work) {
    List<TurnEvent.Durable> events = new ArrayList<>(before);
    boolean asks = false;
    for (Passage passage : admitted) {
      switch (passage) {
        case Passage.Asked(ToolRequest _, ToolLedger.Call _, AskUserTool _, var _, var _) ->
            asks = true; // a question to the task's owner, whom its own page shows it
        case Passage.Asked asked -> {
          asks = true;
          events.add(
              new TurnEvent.ConfirmationAsked(
                  asked.request().callId(), asked.request().tool(), asked.arguments()));
        }
        case Passage.Started started ->
            events.addAll(ToolDoor.startedEvents(started.request(), started.arguments()));
        case Passage.Refused _, Passage.Lost _, Passage.Ended _ -> {}
      }
    }
    boolean waits = asks;
    turn.journal()
        .commit(
            events,
            handle -> {
              TurnStore.advance(handle, turn.state());
              work.accept(handle);
              admitted.forEach(passage -> enter(handle, passage));
              if (waits) {
                services
                    .sessions()
                    .setStatus(handle, turn.lineage().rootSessionId(), SessionStatus.WAITING);
                services.tasks().waits(handle, turn.lineage().rootSessionId());
              }
            });
  }

  private void enter(Handle handle, Passage passage) {
    switch (passage) {
      case Passage.Asked asked -> services.ledger().await(handle, asked.call(), asked.inputHash());
      case Passage.Started started -> services.ledger().begin(handle, started.call());
      case Passage.Refused _, Passage.Lost _, Passage.Ended _ -> {}
    }
  }

  /**
   * Takes all calls through the door; whether the turn is over now, because it showed something.
   */
  boolean run() {
    runAll(order.stream().filter(index -> !shows(index)).toList());
    runAll(order.stream().filter(this::shows).toList());
    return outcomes.entrySet().stream()
        .anyMatch(
            entry -> shows(entry.getKey()) && entry.getValue().kind() == Outcome.Kind.COMPLETED);
  }

  /** Whether a call is to show something. */
  private boolean shows(int index) {
    Passage passage = passages.get(index);
    return passage.request().tool().equals(StructuredOutput.NAME)
        && !(passage instanceof Passage.Refused);
  }

  private void runAll(List<Integer> indexes) {
    Collection<List<Integer>> lanes =
        indexes.stream()
            .filter(index -> !outcomes.containsKey(index))
            .collect(Collectors.groupingBy(this::lane, LinkedHashMap::new, Collectors.toList()))
            .values();
    new Lanes(turn, index -> ended(index, door.pass(passages.get(index)))).run(lanes);
  }

  /** Calls of one lane run one after the other: a sub-agent that keeps its conversation has one. */
  private String lane(int index) {
    Passage passage = passages.get(index);
    return switch (passage) {
      case Passage.Started(_, _, SpawnTool spawn, _) when spawn.keepsConversation() -> spawn.name();
      case Passage.Asked(_, _, SpawnTool spawn, _, _) when spawn.keepsConversation() ->
          spawn.name();
      default -> passage.call().callId();
    };
  }

  /** Commits an outcome, and with it every result whose turn it is to be told. */
  private void ended(int index, Outcome outcome) {
    Passage passage = passages.get(index);
    ToolLedger.Ending ending =
        new ToolLedger.Ending(
            passage.call(), outcome.ledgerStatus(), outcome.forLedger(), outcome.durationMs());
    lock.lock();
    try {
      outcomes.put(index, outcome);
      Delivery delivery = delivery();
      turn.journal()
          .commit(
              delivery.events(),
              handle -> {
                TurnStore.advance(handle, turn.state());
                if (passage instanceof Passage.Refused) {
                  services.ledger().begin(handle, passage.call());
                }
                if (SpawnTool.isNameOfOne(passage.request().tool())
                    && outcome.kind() != Outcome.Kind.COMPLETED) {
                  // Of a turn that was ended while nobody worked on it, the sub-agent's is open.
                  SubTurns.endOfCall(handle, passage.call().callId(), services.clock().millis());
                }
                services.ledger().end(handle, ending);
                String sessionId = turn.key().sessionId();
                delivery.messages().forEach(m -> Messages.insert(handle, sessionId, m));
                services.sessions().addMessages(handle, sessionId, delivery.messages().size());
              });
      delivered.addAll(delivery.indexes());
      turn.state().conversation().addAll(delivery.messages());
      count(passage, outcome);
    } finally {
      lock.unlock();
    }
  }

  private Delivery delivery() {
    Delivery delivery = new Delivery(turn);
    for (int index : order) {
      if (!delivered.contains(index)) {
        Outcome outcome = outcomes.get(index);
        if (outcome == null) {
          break;
        }
        delivery.add(index, passages.get(index), outcome);
      }
    }
    return delivery;
  }

  private void count(Passage passage, Outcome outcome) {
    // A name that the model made up must not become a label.
    boolean known = !(passage instanceof Passage.Refused);
    services
        .metrics()
        .toolCallEnded(
            known ? passage.request().tool() : "refused",
            outcome.ledgerStatus() == ToolLedger.Status.COMPLETED);
  }
}
