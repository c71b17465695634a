package agentengine.torture;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A session as the API shows it, with those of its sub-agents, taken apart. */
final class History {
  /** A call of a tool as the messages tell it. */
  record RecordedCall(String callId, String tool, String key, String result) {}

  private final List<RecordedCall> calls = new ArrayList<>();
  private final List<String> tasks = new ArrayList<>();
  private final List<String> flaws = new ArrayList<>();

  private History() {}

  static History of(JsonNode session) {
    History history = new History();
    history.read(session);
    history.readChildren(session);
    return history;
  }

  /** What tells a call from every other: its marker, or the name of the sub-agent's plan. */
  static String keyOf(JsonNode input) {
    String task = input.path("task").asText();
    return task.isEmpty()
        ? input.path("marker").asText()
        : task.substring(0, Math.max(0, task.indexOf(':')));
  }

  /** All calls of declared tools and sub-agents, at every depth. */
  List<RecordedCall> calls() {
    return calls;
  }

  /** What sub-agents were told, at every depth. */
  List<String> tasks() {
    return tasks;
  }

  /** Where a history is not one that a provider would accept. */
  List<String> flaws() {
    return flaws;
  }

  private void readChildren(JsonNode session) {
    for (JsonNode child : session.path("children")) {
      for (JsonNode message : child.path("messages")) {
        if (message.path("role").asText().equals("user")) {
          tasks.add(message.path("content").asText());
        }
      }
      read(child);
      readChildren(child);
    }
  }

  private void read(JsonNode session) {
    String where = "session " + session.path("id").asText() + " ";
    Deque<JsonNode> open = new ArrayDeque<>();
    String before = "";
    for (JsonNode message : session.path("messages")) {
      String role = message.path("role").asText();
      if (role.equals("tool")) {
        JsonNode call = open.poll();
        if (call == null || !call.path("call_id").equals(message.path("call_id"))) {
          flaws.add(where + "has a result that answers no call before it: " + message);
          return;
        }
        calls.add(
            new RecordedCall(
                call.path("call_id").asText(),
                call.path("tool").asText(),
                keyOf(call.path("input")),
                message.path("content").asText()));
      } else {
        if (!open.isEmpty()) {
          flaws.add(where + "has calls without a result before " + message);
          return;
        }
        if (role.equals("assistant") ? before.isEmpty() : !role.equals("user")) {
          flaws.add(where + "has a " + role + " message after '" + before + "'");
        }
        message.path("tool_calls").forEach(open::add);
      }
      before = role;
    }
    if (!open.isEmpty() || before.equals("user")) {
      flaws.add(where + "ends with a " + before + " message and open calls " + open);
    }
  }
}
