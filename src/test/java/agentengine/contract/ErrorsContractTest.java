package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors: the statuses, and one form of body for all of them. */
@ParameterizedClass
@EnumSource
class ErrorsContractTest {
  private final World world;
  private final Http admin;

  ErrorsContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "", "[1]", "'text'", "{'message':'a','message':'b'}", "{} {}"})
  void status_400_is_invalid_JSON(String body) {
    admin.post("/schemas/help/chat", body).isError(400, "invalid_request");
  }

  @Test
  void status_400_is_missing_required_fields_and_details_name_each() {
    Reply reply = admin.post("/models", "{}");
    reply.isError(400, "invalid_request");

    JsonNode details = Json.parse(reply.text()).path("details");
    details.forEach(detail -> Shapes.hasExactly(detail, "field", "message"));
    assertThat(details.findValuesAsText("field")).contains("name", "type", "model_name");
  }

  @Test
  void status_400_is_an_unknown_field_which_is_named() {
    Reply reply = admin.post("/agents", "{'name':'a-b','model':'sim','modle':'sim'}");
    reply.isError(400, "invalid_request");
    assertThat(reply.text()).contains("modle");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{'message':1}", "{'message':'x','stream':'no'}", "{'message':null}"})
  void status_400_is_a_value_of_the_wrong_type(String body) {
    admin.post("/schemas/help/chat", body).isError(400, "invalid_request");
  }

  @Test
  void status_401_is_a_missing_or_invalid_token_with_WWW_Authenticate() {
    for (Http stranger : new Http[] {world.anonymous(), world.anonymous().as("nonsense")}) {
      Reply reply = stranger.get("/agents");
      reply.isError(401, "unauthorized");
      assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
    }
  }

  @Test
  void status_403_is_a_token_that_lacks_the_scope_and_the_message_names_it() {
    Reply reply = admin.scoped("chat").get("/agents");
    reply.isError(403, "forbidden");
    assertThat(reply.message()).contains("agents:read");
  }

  @Test
  void status_403_chat_disabled_is_a_schema_whose_chat_is_off() {
    admin.ask("closed", "Hi").isError(403, "chat_disabled");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/agents/no-such",
        "/models/no-such",
        "/schemas/no-such",
        "/tools/no_such",
        "/sessions/no-such",
        "/tasks/no-such",
        "/no/such/path"
      })
  void status_404_is_a_resource_that_is_not_found(String path) {
    admin.get(path).isError(404, "not_found");
  }

  @Test
  void status_404_is_a_chat_with_what_does_not_exist() {
    admin.ask("no-such", "Hi").isError(404, "not_found");
  }

  @Test
  void an_unknown_path_is_401_without_a_token() {
    world.anonymous().get("/no/such/path").isError(401, "unauthorized");
  }

  @Test
  void status_405_is_another_method_and_Allow_says_which_there_are() {
    Reply reply = admin.call("PATCH", "/agents", BodyPublishers.noBody(), Map.of());
    reply.isError(405, "method_not_allowed");
    assertThat(reply.header("Allow")).contains("GET").contains("POST");
  }

  @Test
  void status_409_is_a_name_that_is_taken() {
    admin.post("/agents", "{'name':'helper','model':'sim'}").isError(409, "conflict");
  }

  @Test
  void status_413_is_a_message_of_more_than_256_KiB() {
    admin.ask("help", "a".repeat(256 * 1024 + 1)).isError(413, "payload_too_large");
  }

  @Test
  void status_415_is_a_body_that_is_not_JSON() {
    admin
        .send("POST", "/agents", "text/plain", "{'name':'a','model':'sim'}")
        .isError(415, "unsupported_media_type");
  }

  @ParameterizedTest
  @CsvSource({
    "help, '[[error 400 no]]', 502, model_error",
    "help, '[[empty]]', 502, model_error",
    "haste, '[[tool current_time {}]] [[loop]]', 422, max_steps",
  })
  void a_failed_turn_is_the_body_of_a_single_answer_with_its_status(
      String schema, String script, int status, String code) {
    admin.ask(schema, script).isError(status, code);
  }

  @ParameterizedTest
  @CsvSource({
    "help, '[[error 401 no entry]]', model_error",
    "haste, '[[tool current_time {}]] [[loop]]', max_steps",
  })
  void once_a_stream_has_begun_errors_are_error_events_instead_of_a_status(
      String schema, String script, String code) {
    JsonNode error = Events.data(admin.chat(schema, script).all(), "error");
    assertThat(error.path("code").textValue()).isEqualTo(code);
    assertThat(error.path("message").textValue()).isNotBlank();
  }

  @Test
  void a_message_that_does_not_fit_the_agents_context_is_context_overflow() {
    String name = World.fresh();
    admin
        .post("/agents", "{'name':'%s','model':'sim','max_context_size':1000}".formatted(name))
        .json(201);
    admin
        .post(
            "/schemas",
            "{'name':'%s','entry_agent':'%s','chat_enabled':true}".formatted(name, name))
        .json(201);

    admin.ask(name, "word ".repeat(20_000)).isError(422, "context_overflow");
  }
}
