package agentengine.tool;

import static agentengine.tool.ToolCaller.failure;
import static agentengine.tool.ToolCaller.json;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of declared tools to a real server: what is sent and what comes back. */
class HttpToolTest {
  private static final String JSON = "application/json";

  private final ToolCaller caller = new ToolCaller();

  @AfterEach
  void close() {
    caller.close();
  }

  @Test
  void arguments_fill_the_address_and_the_rest_goes_into_the_query() throws Exception {
    for (String method : List.of("GET", "DELETE")) {
      try (FakeServer server = FakeServer.saying(JSON, "{\"ok\": [1, 2.50, null]}")) {
        JsonNode answer =
            caller
                .tool(server, "/users/{id}/posts?lang={lang}", "'method': '%s'".formatted(method))
                .run(
                    "c1",
                    json(
                        "{'id': 'a/b ?#%{x}é', 'lang': 'x&y=z', 'tags': ['a', 'b c', 3],"
                            + " 'deep': {'k': [1]}, 'on': true, 'none': null}"));

        assertThat(answer).isEqualTo(Json.parse("{\"ok\": [1, 2.50, null]}"));
        FakeServer.Request request = server.requests().getFirst();
        assertThat(request.head().lines().findFirst().orElseThrow())
            .isEqualTo(
                method
                    + " /users/a%2Fb%20%3F%23%25%7Bx%7D%C3%A9/posts?lang=x%26y%3Dz"
                    + "&tags=a&tags=b%20c&tags=3&deep=%7B%22k%22%3A%5B1%5D%7D&on=true HTTP/1.1");
        assertThat(request.body()).isEmpty();
        assertThat(request.head()).contains("User-Agent: agent-engine/test");
      }
    }
  }

  @Test
  void the_rest_goes_into_a_json_body_for_other_methods() throws Exception {
    for (String method : List.of("POST", "PUT", "PATCH")) {
      try (FakeServer server = FakeServer.saying("text/plain", "fine")) {
        JsonNode answer =
            caller
                .tool(server, "/users/{id}", "'method': '%s'".formatted(method))
                .run("c1", json("{'id': 7, 'name': 'Zoë', 'tags': [1], 'none': null}"));

        assertThat(answer).isEqualTo(TextNode.valueOf("fine"));
        FakeServer.Request request = server.requests().getFirst();
        assertThat(request.head()).startsWith(method + " /users/7 HTTP/1.1\r\n");
        assertThat(request.head()).contains("Content-Type: application/json");
        assertThat(Json.parse(request.body()))
            .isEqualTo(json("{'name': 'Zoë', 'tags': [1], 'none': null}"));
      }
    }
  }

  @Test
  void an_argument_that_would_change_the_address_is_not_sent() throws Exception {
    try (FakeServer server = FakeServer.saying(JSON, "{}")) {
      Tool tool = caller.tool(server, "/users/{id}/delete", "'method': 'POST'");

      assertThat(failure(tool)).contains("'id' is missing");
      assertThat(failure(tool, "{'id': null}")).contains("'id' is missing");
      assertThat(failure(tool, "{'id': ''}")).contains("must not be empty");
      assertThat(failure(tool, "{'id': '.'}")).contains("must not be . or ..");
      assertThat(failure(tool, "{'id': '..'}")).contains("must not be . or ..");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void headers_are_sent_with_what_the_environment_holds_now() throws Exception {
    caller.environment.put("TOKEN", "token-one");
    try (FakeServer server = FakeServer.saying(JSON, "{}")) {
      Tool tool =
          caller.tool(
              server,
              "/",
              "'headers': {'Authorization': 'Bearer ${TOKEN}', 'X-Key': 'a${TOKEN}b', 'Accept':"
                  + " 'text/csv'}");
      caller.environment.put("TOKEN", "token-two\n");
      tool.run("c1", Json.object());

      assertThat(server.requests().getFirst().head())
          .contains("Authorization: Bearer token-two\r\n")
          .contains("X-Key: atoken-twob\r\n")
          .contains("Accept: text/csv\r\n")
          .doesNotContain("*/*");
      caller.environment.remove("TOKEN");
      assertThat(failure(tool)).contains("variable TOKEN is not set");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void only_an_idempotent_call_carries_its_id() throws Exception {
    try (FakeServer server = FakeServer.saying(JSON, "{}")) {
      for (String effect : List.of("idempotent", "unsafe", "read_only")) {
        caller.tool(server, "/", "'effect': '%s'".formatted(effect)).run("call-7", Json.object());
      }

      assertThat(server.requests().get(0).head()).contains("Idempotency-Key: call-7\r\n");
      assertThat(server.requests().get(1).head()).doesNotContain("Idempotency");
      assertThat(server.requests().get(2).head()).doesNotContain("Idempotency");
    }
  }

  @Test
  void cookies_are_not_kept() throws Exception {
    try (FakeServer server =
        FakeServer.start(
            (_, out) ->
                FakeServer.write(
                    out, "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n"))) {
      Tool tool = caller.tool(server);

      assertThat(tool.run("c1", Json.object())).isEqualTo(TextNode.valueOf(""));
      tool.run("c2", Json.object());
      assertThat(server.requests().getLast().head()).doesNotContain("Cookie");
    }
  }

  @Test
  void a_json_type_gives_a_value_and_anything_else_a_text() throws Exception {
    assertThat(caller.answer("application/problem+json; charset=utf-8", "{\"a\": 1}"))
        .isEqualTo(Json.object().put("a", 1));
    assertThat(caller.answer("text/json", "\"word\"")).isEqualTo(TextNode.valueOf("word"));
    assertThat(caller.answer(JSON, "5").numberValue()).isEqualTo(5);
    assertThat(caller.answer(JSON, "")).isEqualTo(TextNode.valueOf(""));
    for (String broken :
        List.of("{\"a\": ", "{} {}", "{\"a\": 1, \"a\": 2}", "[".repeat(200), "nonsense")) {
      assertThat(caller.answer(JSON, broken)).isEqualTo(TextNode.valueOf(broken));
    }
    assertThat(caller.answer("text/html", "{\"a\": 1}")).isEqualTo(TextNode.valueOf("{\"a\": 1}"));
    assertThat(caller.answer("nonsense", "é")).isEqualTo(TextNode.valueOf("é"));
  }

  @Test
  void a_refusal_of_the_server_is_told_with_its_body() throws Exception {
    try (FakeServer server =
        FakeServer.start(
            (request, out) -> {
              String path = request.head().split(" ", 3)[1];
              FakeServer.write(
                  out,
                  "HTTP/1.1 "
                      + path.substring(1).replace('-', ' ')
                      + "\r\nConnection: close\r\n\r\n{\"error\": \"no such city\"}"
                      + (path.contains("500") ? "x".repeat(100_000) : ""));
            })) {
      assertThat(failure(caller.tool(server, "/404-Not-Found", "'effect': 'unsafe'")))
          .isEqualTo("the server answers 404 Not Found: {\"error\": \"no such city\"}");
      assertThat(failure(caller.tool(server, "/500-Oops", "'effect': 'unsafe'")))
          .startsWith("the server answers 500 Oops: {")
          .endsWith("x…")
          .hasSizeLessThan(4_200);
      assertThat(failure(caller.tool(server, "/401-Unauthorized", "'effect': 'unsafe'")))
          .startsWith("the server answers 401");
      assertThat(server.requests()).hasSize(3);
    }
  }

  @Test
  void a_secret_that_the_server_repeats_is_hidden() throws Exception {
    caller.environment.put("TOKEN", "se/cret\"1");
    String echo = "se/cret\"1 se\\/cret\\\"1 Bearer se/cret\"1 plain-literal";
    for (String status : List.of("200 OK", "403 Forbidden", "302 Found")) {
      try (FakeServer server =
          FakeServer.start(
              (_, out) ->
                  FakeServer.write(
                      out,
                      "HTTP/1.1 %s\r\nLocation: http://elsewhere.example/plain-literal\r\n"
                              .formatted(status)
                          + "Connection: close\r\n\r\n"
                          + echo))) {
        Tool tool =
            caller.tool(
                server,
                "/",
                "'headers': {'Authorization': 'Bearer ${TOKEN}', 'X-Key': 'plain-literal'}");
        String seen =
            status.startsWith("200")
                ? tool.run("c1", Json.object()).textValue()
                : failure(tool, "{}");
        assertThat(seen).contains("***").doesNotContain("cret").doesNotContain("plain-literal");
      }
    }
  }

  @Test
  void a_redirect_is_followed_within_the_host_only() throws Exception {
    try (FakeServer server =
        FakeServer.start(
            (request, out) -> {
              String[] line = request.head().split(" ", 3);
              boolean arrived = line[1].equals("/there");
              String code = line[1].substring(1);
              FakeServer.write(
                  out,
                  arrived
                      ? FakeServer.ok("text/plain") + line[0] + " " + request.body()
                      : "HTTP/1.1 " + code + " Moved\r\nLocation: /there\r\n\r\n");
            })) {
      for (String code : List.of("301", "302", "303")) {
        assertThat(run(server, code)).as(code).isEqualTo("GET ");
      }
      for (String code : List.of("307", "308")) {
        assertThat(run(server, code)).as(code).isEqualTo("POST {\"a\":1}");
      }
    }
  }

  private String run(FakeServer server, String code) throws Exception {
    return caller
        .tool(server, "/" + code, "'method': 'POST'")
        .run("c1", json("{'a': 1}"))
        .textValue();
  }
}
