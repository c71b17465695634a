package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources and their fields, of those that an administrator defines. */
@ParameterizedClass
@EnumSource
class DefinitionsContractTest {
  private final World world;
  private final Http admin;
  private final String name = World.fresh();

  DefinitionsContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  private Reply createAgent(String more) {
    return admin.post("/agents", "{'name':'%s','model':'sim'%s}".formatted(name, more));
  }

  private Reply createModel(String more) {
    return admin.post(
        "/models",
        "{'name':'%s','type':'openai_compatible','model_name':'m','base_url':'%s'%s}"
            .formatted(name, world.modelUrl(), more));
  }

  @Test
  void an_agent_list_item_has_name_model_lifecycle_tools_count_and_has_knowledge() {
    createAgent(",'tools':['current_time']").json(201);

    JsonNode item =
        admin
            .get("/agents")
            .json(200)
            .valueStream()
            .filter(agent -> agent.path("name").asText().equals(name))
            .findFirst()
            .orElseThrow();
    Shapes.hasExactly(item, "name", "model", "lifecycle", "tools_count", "has_knowledge");
    Shapes.strings(item, "name", "model", "lifecycle");
    Shapes.booleans(item, "has_knowledge");
    assertThat(item.path("tools_count").intValue()).isEqualTo(1);
  }

  @Test
  void an_agent_detail_has_the_fields_of_its_table_and_those_decided() {
    createAgent("").json(201);

    JsonNode agent = admin.get("/agents/" + name).json(200);
    Shapes.hasAtLeast(
        agent,
        "name",
        "model",
        "lifecycle",
        "tools",
        "mcp_servers",
        "can_spawn",
        "max_steps",
        "max_context_size",
        "system",
        "description",
        "temperature",
        "top_p",
        "max_tokens",
        "knowledge",
        "confirm_before",
        "fallback_models");
    for (String list : List.of("tools", "mcp_servers", "can_spawn", "knowledge")) {
      assertThat(agent.path(list).isArray()).as(list).isTrue();
      assertThat(agent.path(list)).as(list).isEmpty();
    }
    assertThat(agent.path("lifecycle").textValue()).isEqualTo("persistent");
    assertThat(agent.path("max_steps").intValue()).isEqualTo(50);
    assertThat(agent.path("max_context_size").intValue()).isEqualTo(64_000);
  }

  @Test
  void an_agent_is_created_with_all_the_fields_of_the_create_body() {
    JsonNode made =
        createAgent(
                ",'system':'Be brief.','tools':['current_time'],'can_spawn':['helper'],"
                    + "'lifecycle':'spawn','max_steps':7")
            .json(201);

    assertThat(made.path("system").textValue()).isEqualTo("Be brief.");
    assertThat(Shapes.texts(made.path("tools"))).containsExactly("current_time");
    assertThat(Shapes.texts(made.path("can_spawn"))).containsExactly("helper");
    assertThat(made.path("lifecycle").textValue()).isEqualTo("spawn");
    assertThat(made.path("max_steps").intValue()).isEqualTo(7);
  }

  @Test
  void an_agents_update_body_is_any_subset_of_the_same_fields() {
    createAgent(",'system':'Be brief.'").json(201);

    JsonNode updated = admin.put("/agents/" + name, "{'max_steps':9}").json(200);
    assertThat(updated.path("max_steps").intValue()).isEqualTo(9);
    assertThat(updated.path("system").textValue()).as("left alone").isEqualTo("Be brief.");
    admin.put("/agents/" + name, "{'name':'%s'}".formatted(name)).json(200);
    admin.put("/agents/" + name, "{'name':'another'}").isError(400, "invalid_request");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'model':'sim'}",
        "{'name':'nameless'}",
        "{'name':'Capital','model':'sim'}",
        "{'name':'a','model':'nobody'}",
        "{'name':'a','model':'sim','lifecycle':'eternal'}",
        "{'name':'a','model':'sim','max_steps':0}",
        "{'name':'a','model':'sim','max_steps':501}",
        "{'name':'a','model':'sim','max_context_size':999}",
        "{'name':'a','model':'sim','tools':['no_such_tool']}",
        "{'name':'a','model':'sim','can_spawn':['no-such-agent']}",
        "{'name':'a','model':'sim','confirm_before':['current_time']}"
      })
  void an_agent_needs_name_and_model_and_values_that_exist(String body) {
    admin.post("/agents", body).isError(400, "invalid_request");
  }

  @Test
  void a_model_has_the_fields_of_its_table_and_its_key_is_never_returned() {
    Reply created = createModel(",'api_key':'top-secret'");
    JsonNode model = created.json(201);

    Shapes.hasExactly(
        model, "id", "name", "type", "base_url", "model_name", "has_api_key", "created_at");
    Shapes.integers(model, "id");
    Shapes.strings(model, "name", "type", "base_url", "model_name");
    Shapes.timestamps(model, "created_at");
    assertThat(model.path("has_api_key").booleanValue()).isTrue();
    assertThat(created.text() + admin.get("/models").text() + admin.get("/models/" + name).text())
        .doesNotContain("top-secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ollama",
        "openai_compatible",
        "anthropic",
        "azure_openai",
        "google",
        "openrouter",
        "deepseek",
        "mistral",
        "xai",
        "zai"
      })
  void a_models_type_is_one_of_ten_provider_kinds(String type) {
    JsonNode model =
        admin
            .post(
                "/models",
                "{'name':'%s','type':'%s','model_name':'m','base_url':'http://127.0.0.1:1/v1'}"
                    .formatted(name, type))
            .json(201);

    assertThat(model.path("type").textValue()).isEqualTo(type);
    assertThat(model.path("has_api_key").booleanValue()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'ollama','model_name':'m'}",
        "{'name':'m','model_name':'m'}",
        "{'name':'m','type':'ollama'}",
        "{'name':'m','type':'openai_compatible','model_name':'m'}",
        "{'name':'m','type':'azure_openai','model_name':'m'}",
        "{'name':'m','type':'abacus','model_name':'m'}",
        "{'name':'registry','type':'ollama','model_name':'m'}"
      })
  void a_model_needs_name_type_and_model_name_and_where_there_is_no_default_a_base_url(
      String body) {
    admin.post("/models", body).isError(400, "invalid_request");
  }

  @Test
  void a_models_api_key_is_changed_only_when_a_non_empty_value_is_given_and_null_removes_it() {
    createModel(",'api_key':'first'").json(201);

    JsonNode empty = admin.put("/models/" + name, "{'api_key':''}").json(200);
    assertThat(empty.path("has_api_key").booleanValue()).isTrue();
    JsonNode other = admin.put("/models/" + name, "{'model_name':'n'}").json(200);
    assertThat(other.path("has_api_key").booleanValue()).isTrue();
    assertThat(other.path("model_name").textValue()).isEqualTo("n");
    JsonNode removed = admin.put("/models/" + name, "{'api_key':null}").json(200);
    assertThat(removed.path("has_api_key").booleanValue()).isFalse();
  }

  @Test
  void a_schema_has_its_fields_and_chat_is_off_until_someone_turns_it_on() {
    JsonNode schema =
        admin.post("/schemas", "{'name':'%s','entry_agent':'helper'}".formatted(name)).json(201);

    Shapes.hasExactly(
        schema, "name", "description", "entry_agent", "agents", "chat_enabled", "created_at");
    assertThat(schema.path("chat_enabled").booleanValue()).isFalse();
    Shapes.timestamps(schema, "created_at");
  }

  @Test
  void a_schemas_name_cannot_be_changed_after_creation() {
    admin.put("/schemas/help", "{'name':'other'}").isError(400, "invalid_request");
  }

  @Test
  void a_declared_tool_has_its_fields_and_its_headers_values_are_never_returned() {
    String tool = name.replace('-', '_');
    Reply created =
        admin.post(
            "/tools",
            ("{'name':'%s','description':'d','method':'POST','url':'http://127.0.0.1:1/{id}',"
                    + "'headers':{'X-Key':'top-secret'},'parameters':{'type':'object',"
                    + "'properties':{'id':{'type':'string'}},'required':['id']},"
                    + "'timeout':'5s','effect':'idempotent','confirm_before':true}")
                .formatted(tool));

    Shapes.hasAtLeast(
        created.json(201),
        "name",
        "description",
        "method",
        "url",
        "headers",
        "parameters",
        "timeout",
        "effect",
        "confirm_before");
    assertThat(created.text() + admin.get("/tools/" + tool).text()).doesNotContain("top-secret");
  }

  @Test
  void a_duplicate_is_409_a_dangling_reference_400_and_deleting_what_others_use_409() {
    createModel("").json(201);
    createModel("").isError(409, "conflict");
    Reply dangling = admin.post("/schemas", "{'name':'x-y','entry_agent':'nobody'}");
    dangling.isError(400, "invalid_request");
    assertThat(dangling.text()).contains("nobody");

    admin.post("/agents", "{'name':'%s','model':'%s'}".formatted(name, name)).json(201);
    Reply used = admin.delete("/models/" + name);
    used.isError(409, "conflict");
    assertThat(used.message()).contains(name);
  }
}
