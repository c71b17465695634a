package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;

/** A whole answer. */
record Reply(int status, HttpHeaders headers, String text) {
  /** The JSON of an answer with this status. */
  JsonNode json(int expectedStatus) {
    assertThat(status).as(text).isEqualTo(expectedStatus);
    assertThat(header("Content-Type")).startsWith("application/json");
    return Json.parse(text);
  }

  /** An answer with 204 has no body. */
  void empty() {
    assertThat(status).as(text).isEqualTo(204);
    assertThat(text).isEmpty();
  }

  /** The error of an answer with this status: its code, and a message that says something. */
  void isError(int expectedStatus, String code) {
    JsonNode body = json(expectedStatus);
    assertThat(body.path("error").textValue()).as(text).isEqualTo(code);
    assertThat(body.path("message").textValue()).isNotBlank();
    assertThat(Shapes.names(body)).isSubsetOf("error", "message", "details");
  }

  String message() {
    return Json.parse(text).path("message").textValue();
  }

  String header(String name) {
    return headers.firstValue(name).orElse("");
  }
}
