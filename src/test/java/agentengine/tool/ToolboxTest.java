package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.secret.MasterKey;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** From a declaration in the store to a call that carries its secrets. */
@ParameterizedClass
@EnumSource
class ToolboxTest {
  private static final String SECRET = "the-key-of-the-shop";

  private final Map<String, String> environment = Map.of("TOKEN", "token-of-the-environment");
  private final OutboundHttp http = new OutboundHttp("agent-engine/test");
  private final FakeServer server = FakeServer.saying("application/json", "{\"found\": true}");
  private final TestDatabases.Fresh fresh;
  private final Database db;
  private final Tools tools;
  private final Toolbox toolbox;

  ToolboxTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    db = fresh.open();
    InstantSource clock = InstantSource.system();
    MasterKey key = MasterKey.ofBase64(Base64.getEncoder().encodeToString(new byte[32]));
    tools =
        new Tools(db, key, clock, new AdminLog(db, clock), (_, _) -> List.of(), environment::get);
    toolbox = new Toolbox(new BuiltInTools(clock), tools, http, environment::get);
    ObjectNode body = Json.object().put("name", "find_order").put("url", server.url() + "/orders");
    body.putObject("headers").put("Authorization", "Bearer ${TOKEN}").put("X-Key", SECRET);
    tools.create("tester", body);
  }

  @AfterEach
  void close() {
    http.close();
    server.close();
    fresh.close();
  }

  @Test
  void built_in_and_declared_tools_are_found_by_name() {
    for (String name : List.of("current_time", "show_structured_output", "find_order")) {
      assertThat(find(name).orElseThrow().name()).isEqualTo(name);
    }
    assertThat(find("no_tool")).isEmpty();
    Tool declared = find("find_order").orElseThrow();
    assertThat(declared.effect()).isEqualTo(Effect.UNSAFE);
    assertThat(declared.confirmBefore()).isFalse();
    assertThat(declared.timeout()).isNull();
    assertThat(declared.problem(Json.object().put("any", "thing"))).isNull();
  }

  @Test
  void a_call_carries_the_secrets_that_the_store_keeps_sealed() throws Exception {
    assertThat(headersInTheStore()).doesNotContain(SECRET).doesNotContain("TOKEN");

    assertThat(find("find_order").orElseThrow().run("c1", Json.object()))
        .isEqualTo(Json.object().put("found", true));
    assertThat(server.requests().getLast().head())
        .contains("X-Key: " + SECRET + "\r\n")
        .contains("Authorization: Bearer token-of-the-environment\r\n");
  }

  @Test
  void a_secret_outlives_changes_that_do_not_name_it() throws Exception {
    ObjectNode shown = tools.get("find_order").spec().toJson();
    tools.update("tester", "find_order", shown);
    tools.update("tester", "find_order", Json.object().put("description", "Finds."));
    find("find_order").orElseThrow().run("c1", Json.object());
    assertThat(server.requests().getLast().head()).contains("X-Key: " + SECRET + "\r\n");

    Fields entry = Fields.of(Json.object().put("url", server.url() + "/"));
    ToolSpec spec = ToolSpec.read("find_order", entry, environment::get);
    db.write(handle -> tools.put(handle, "tester", spec));
    find("find_order").orElseThrow().run("c1", Json.object());
    assertThat(server.requests().getLast().head())
        .contains("X-Key: " + SECRET + "\r\n")
        .doesNotContain("Authorization");
  }

  private Optional<Tool> find(String name) {
    return db.read(handle -> toolbox.tool(handle, name));
  }

  private String headersInTheStore() {
    return db.read(
        handle -> handle.createQuery("SELECT headers FROM tool").mapTo(String.class).one());
  }
}
