package agentengine.torture;

import agentengine.json.Json;
import agentengine.testing.process.EngineHttp;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every call is in the audit log exactly once, with the end that it had. */
final class AuditCheck {
  private static final int PAGE = 100;

  private final EngineHttp http;
  private final Findings findings;

  AuditCheck(EngineHttp http, Findings findings) {
    this.http = http;
    this.findings = findings;
  }

  void check(List<Turn> turns) throws IOException {
    Map<String, List<JsonNode>> rows = rows();
    for (Turn turn : turns) {
      if (turn.isAbandoned()) {
        continue;
      }
      for (Call call : turn.plan().allCalls()) {
        JsonNode row = only(turn, call.marker(), rows);
        if (row != null) {
          checkCall(turn, call, row);
        }
      }
      for (Plan plan : turn.plan().tree().skip(1).toList()) {
        JsonNode row = only(turn, plan.name(), rows);
        findings.expect(
            row == null || row.path("status").asText().equals("completed"),
            turn + " has sub-agent " + plan.name() + " in the audit log as " + row);
      }
    }
  }

  private void checkCall(Turn turn, Call call, JsonNode row) {
    boolean completed = row.path("status").asText().equals("completed");
    String output = row.path("output").asText();
    findings.expect(
        row.path("tool_name").asText().equals(call.tool().wireName())
            && StreamCheck.isResult(call, output)
            && completed == (call.mayRun() && output.contains(call.expectedResult())),
        call + " of " + turn + " is in the audit log as " + row);
  }

  private @Nullable JsonNode only(Turn turn, String key, Map<String, List<JsonNode>> rows) {
    List<JsonNode> found = rows.getOrDefault(key, List.of());
    if (found.size() != 1) {
      findings.violation(turn + " has call " + key + " in the audit log as " + found);
      return null;
    }
    return found.getFirst();
  }

  private Map<String, List<JsonNode>> rows() throws IOException {
    Map<String, List<JsonNode>> byKey = new HashMap<>();
    int pages = 1;
    for (int page = 1; page <= pages; page++) {
      try (EngineHttp.Response response =
          http.get("/audit/tool-calls?per_page=" + PAGE + "&page=" + page)) {
        JsonNode answer = response.json();
        pages = answer.path("total_pages").asInt();
        for (JsonNode row : answer.path("data")) {
          findings.count(Count.AUDIT_ROWS);
          String key = History.keyOf(Json.parse(row.path("input").asText()));
          byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
        }
      }
    }
    return byKey;
  }
}
