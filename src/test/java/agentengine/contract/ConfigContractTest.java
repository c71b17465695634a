package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Configuration: reload, export and import. */
@ParameterizedClass
@EnumSource
class ConfigContractTest {
  private static final String YAML = "application/x-yaml";

  private final World world;
  private final Http admin;
  private final String name = World.fresh();

  ConfigContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  private Reply bring(String query, String document) {
    return admin.send("POST", "/config/import" + query, YAML, document);
  }

  private String document(String secret) {
    return """
    version: 1
    models:
      "%1$s": {type: ollama, model_name: small, api_key: "%2$s"}
    agents:
      "%1$s": {model: "%1$s", system: "Be brief."}
    """
        .formatted(name, secret);
  }

  @Test
  void POST_config_reload_gives_status_agents_loaded_and_models_loaded() {
    admin.put("/agents/helper", "{'system':'changed by hand'}").json(200);

    JsonNode result = admin.post("/config/reload").json(200);

    Shapes.hasAtLeast(result, "status", "agents_loaded", "models_loaded");
    assertThat(result.path("status").textValue()).isEqualTo("ok");
    Shapes.integers(result, "agents_loaded", "models_loaded");
    assertThat(result.path("agents_loaded").intValue()).isEqualTo(3);
    assertThat(result.path("models_loaded").intValue()).isEqualTo(1);
    assertThat(admin.get("/agents/helper").json(200).path("system").textValue())
        .as("an entry that is applied replaces what was changed")
        .isNotEqualTo("changed by hand");
  }

  @Test
  void a_reload_leaves_alone_what_the_document_does_not_mention() {
    admin.post("/agents", "{'name':'%s','model':'sim'}".formatted(name)).json(201);
    admin.post("/config/reload").json(200);
    admin.get("/agents/" + name).json(200);
  }

  @Test
  void GET_config_export_gives_YAML_without_secrets() {
    bring("", document("top-secret")).json(200);

    Reply exported = admin.get("/config/export");

    assertThat(exported.status()).isEqualTo(200);
    assertThat(exported.header("Content-Type")).contains("yaml");
    assertThat(exported.text())
        .startsWith("version: 1")
        .contains("models:", "agents:", "schemas:", "tools:", name, "Be brief.")
        .doesNotContain("top-secret", "model-key");
  }

  @Test
  void POST_config_import_takes_YAML_and_gives_the_numbers_of_what_was_imported() {
    JsonNode result = bring("", document("k")).json(200);

    Shapes.hasAtLeast(result, "status", "agents_imported", "models_imported", "tools_imported");
    assertThat(result.path("status").textValue()).isEqualTo("ok");
    assertThat(result.path("agents_imported").intValue()).isEqualTo(1);
    assertThat(result.path("models_imported").intValue()).isEqualTo(1);
    assertThat(result.path("tools_imported").intValue()).isZero();
    assertThat(admin.get("/agents/" + name).json(200).path("model").textValue()).isEqualTo(name);
  }

  @Test
  void an_import_merges_with_the_existing_configuration_and_keeps_secrets_it_does_not_name() {
    bring("", document("k")).json(200);
    bring("", "version: 1\nmodels:\n  \"" + name + "\": {type: ollama, model_name: large}\n")
        .json(200);

    JsonNode model = admin.get("/models/" + name).json(200);
    assertThat(model.path("model_name").textValue()).isEqualTo("large");
    assertThat(model.path("has_api_key").booleanValue()).isTrue();
    admin.get("/agents/" + name).json(200);
    admin.get("/agents/helper").json(200);
  }

  @Test
  void export_then_import_then_export_is_byte_identical() {
    bring("", document("k")).json(200);
    String first = admin.get("/config/export").text();
    bring("", first).json(200);
    assertThat(admin.get("/config/export").text()).isEqualTo(first);
  }

  @Test
  void dry_run_changes_nothing_and_says_what_would_be_created_updated_or_unchanged() {
    JsonNode result = bring("?dry_run=true", document("k")).json(200);

    assertThat(result.path("status").textValue()).isEqualTo("dry_run");
    Shapes.hasAtLeast(result, "agents_imported", "models_imported", "tools_imported", "changes");
    result.path("changes").forEach(change -> Shapes.hasExactly(change, "kind", "name", "action"));
    assertThat(result.path("changes").findValuesAsText("action")).containsOnly("create");
    admin.get("/agents/" + name).isError(404, "not_found");

    bring("", document("k")).json(200);
    JsonNode again = bring("?dry_run=true", admin.get("/config/export").text()).json(200);
    assertThat(again.path("changes").findValuesAsText("action")).containsOnly("unchanged");
  }

  @Test
  void an_import_is_whole_or_not_at_all_and_its_problems_come_all_at_once_with_line_and_column() {
    Reply refused =
        bring(
            "",
            document("k")
                + """
                schemas:
                  broken-schema: {entry_agent: no-such-agent, chat_enabled: perhaps}
                colours: {}
                """);

    refused.isError(400, "invalid_request");
    assertThat(refused.text())
        .contains("no-such-agent", "chat_enabled", "colours")
        .containsPattern("line \\d+, column \\d+");
    admin.get("/agents/" + name).isError(404, "not_found");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "version: 2\n",
        "models: {}\n",
        "version: 1\nmodels: []\n",
        "version: 1\nversion: 1\n",
        "version: 1\n\tmodels: {}\n",
        "version: 1\nmodels: {m: {type: ollama, model_name: ${NO_SUCH_VARIABLE_ANYWHERE}}}\n",
        "just a text",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
      })
  void what_is_no_configuration_document_is_refused(String document) {
    bring("", document).isError(400, "invalid_request");
  }

  @Test
  void an_import_takes_YAML_and_nothing_else() {
    admin
        .send("POST", "/config/import", "application/json", "{'version':1}")
        .isError(415, "unsupported_media_type");
  }

  @Test
  void config_needs_the_scope_config_or_admin() {
    Http config = admin.scoped("config");
    config.post("/config/reload").json(200);
    assertThat(config.get("/config/export").status()).isEqualTo(200);
    Http others = admin.scoped("chat", "tasks", "agents:write", "models:write");
    others.post("/config/reload").isError(403, "forbidden");
    others.get("/config/export").isError(403, "forbidden");
    others.send("POST", "/config/import", YAML, "version: 1\n").isError(403, "forbidden");
    world.anonymous().post("/config/reload").isError(401, "unauthorized");
  }
}
