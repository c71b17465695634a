package agentengine.model;

import agentengine.json.Json;
import agentengine.model.ModelVerification.ToolCalling;
import agentengine.time.Durations;
import agentengine.time.Watchdog;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/** Tries a model for real: one ping, then one request that asks for a tool call. */
public final class ModelVerifier {
  /** For both requests; somebody waits for the result. */
  public static final Duration LIMIT = Duration.ofSeconds(30);

  private static final String TOOL = "report_ready";

  private final ModelClient client;
  private final Watchdog watchdog;
  private final Duration limit;

  public ModelVerifier(ModelClient client, Watchdog watchdog, Duration limit) {
    this.client = client;
    this.watchdog = watchdog;
    this.limit = limit;
  }

  /** Never throws because of the provider: that it does not work is a result. */
  public ModelVerification verify(ModelRecord model) {
    try (Watchdog.Watch watch = watchdog.watch(limit)) {
      long start = System.nanoTime();
      try {
        ModelAnswer _ = client.askOnce(model, ping());
      } catch (ModelException e) {
        return new ModelVerification(ToolCalling.SKIPPED, millisSince(start), reason(watch, e));
      }
      long responseTime = millisSince(start);
      return new ModelVerification(toolCalling(model), responseTime, null);
    }
  }

  private static long millisSince(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos).toMillis();
  }

  /** When our own limit ended the call, what the transport saw of it would mislead. */
  private String reason(Watchdog.Watch watch, ModelException e) {
    return watch.ending() == null
        ? e.reason()
        : "the provider did not answer within " + Durations.format(limit);
  }

  /** A provider may refuse tools in many ways; what counts is that no call came back. */
  private ToolCalling toolCalling(ModelRecord model) {
    try {
      boolean called =
          client.askOnce(model, requestForTheTool()).toolRequests().stream()
              .anyMatch(call -> call.tool().equals(TOOL));
      return called ? ToolCalling.SUPPORTED : ToolCalling.NOT_DETECTED;
    } catch (ModelException _) {
      return ToolCalling.NOT_DETECTED;
    }
  }

  private static ModelRequest ping() {
    return request("Answer with one word: pong", List.of());
  }

  private static ModelRequest requestForTheTool() {
    ObjectNode parameters = Json.object().put("type", "object");
    parameters.putObject("properties").putObject("ready").put("type", "boolean");
    parameters.putArray("required").add("ready");
    return request(
        "Call the tool " + TOOL + " with ready set to true. Do not answer in words.",
        List.of(new ToolDefinition(TOOL, "Reports whether you are ready.", parameters)));
  }

  /** No limit on the answer's length: a thinking model would spend it before its first word. */
  private static ModelRequest request(String message, List<ToolDefinition> tools) {
    return new ModelRequest(
        "",
        List.of(new ChatMessage.User(message)),
        tools,
        new ModelRequest.Sampling(null, null, null));
  }
}
