package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/** Declares tools and calls them, for tests of how they are called. */
final class ToolCaller implements AutoCloseable {
  final Map<String, String> environment = new HashMap<>();
  private final OutboundHttp http = new OutboundHttp("agent-engine/test");

  /** A tool at a path of the server, with more fields of its definition. */
  Tool tool(FakeServer server, String path, String more) {
    return toolAt(server.url() + path, more);
  }

  Tool tool(FakeServer server) {
    return toolAt(server.url() + "/", "'effect': 'unsafe'");
  }

  Tool toolAt(String url, String more) {
    ObjectNode definition =
        json("{'parameters': {'properties': {'id': {}, 'lang': {}}}, %s}".formatted(more));
    Fields fields = Fields.of(definition.put("url", url));
    ToolSpec spec = ToolSpec.read("lookup", fields, environment::get);
    fields.finish();
    return new HttpTool(spec, http, environment::get);
  }

  /** What a call gives when the server answers so. */
  JsonNode answer(String contentType, String body) throws Exception {
    try (FakeServer server = FakeServer.saying(contentType, body)) {
      return tool(server).run("c1", Json.object());
    }
  }

  /** Why a call fails. */
  static String failure(Tool tool, String arguments) {
    ToolFailure failure =
        catchThrowableOfType(ToolFailure.class, () -> tool.run("c1", json(arguments)));
    assertThat(failure).isNotNull();
    return failure.reason();
  }

  static String failure(Tool tool) {
    return failure(tool, "{}");
  }

  static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"'));
  }

  @Override
  public void close() {
    http.close();
  }
}
