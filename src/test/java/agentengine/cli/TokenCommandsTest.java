package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.TestDatabases.Kind;
import agentengine.testing.TestEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandsTest {
  private static final String TOKEN = "ae_[0-9A-Za-z]{36}\n";

  @TempDir Path directory;

  @Test
  void a_token_made_through_the_engine_works_until_it_is_revoked() throws IOException {
    try (TestEngine engine = TestEngine.start(Kind.SQLITE)) {
      Map<String, String> environment = CommandRun.beside(engine);
      CommandRun created =
          run(environment, "token", "create", "--name", "my bot", "--scopes", "chat,tasks");
      assertThat(created.status()).isZero();
      assertThat(created.out()).matches(TOKEN);
      String id = created.err().replaceAll("(?s).*made token (\\S+) with chat, tasks;.*", "$1");
      assertThat(created.err())
          .startsWith("through the engine at http://127.0.0.1:" + engine.port() + "\n")
          .contains("shown only once")
          .doesNotContain(created.out().strip());

      Map<String, String> withToken = with(environment, created.out());
      assertThat(run(withToken, "chat", "help", "--message", "[[say Yes.]]").out())
          .isEqualTo("Yes.\n");
      CommandRun refused = run(withToken, "token", "list");
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.err()).contains("error [forbidden]: the token lacks the scope admin\n");

      List<String> table = run(environment, "token", "list").out().lines().toList();
      assertThat(table).hasSize(2);
      assertThat(table.getFirst()).matches("ID +NAME +SCOPES +CREATED +EXPIRES +LAST USED");
      assertThat(table.getLast()).matches(id + "  my bot  chat,tasks  \\S+Z  never    \\S+Z");

      CommandRun revoked = run(environment, "token", "revoke", id);
      assertThat(revoked.status()).isZero();
      assertThat(revoked.err()).contains("revoked token " + id);
      assertThat(run(withToken, "chat", "help", "--message", "Hi").err())
          .isEqualTo("error [unauthorized]: the access token has been revoked\n");
    }
  }

  @Test
  void a_first_token_is_made_before_the_first_start() throws IOException {
    Map<String, String> before = beforeTheStart();

    CommandRun created = run(before, "token", "create", "--name", "root", "--scopes", "admin");
    assertThat(created.out()).matches(TOKEN);
    assertThat(created.err())
        .startsWith("directly in the store in " + dataDirectory())
        .contains("no engine answers at ");
    assertThat(run(before, "token", "list").out()).contains("  root  admin  ");

    try (TestEngine engine = start(Variable.LOCAL_SESSION, "off")) {
      CommandRun list = run(with(CommandRun.beside(engine), created.out()), "token", "list");
      assertThat(list.err()).startsWith("through the engine at ");
      assertThat(list.out()).contains("  root  admin  ");
    }
  }

  @Test
  void a_token_is_revoked_in_the_store() throws IOException {
    Map<String, String> before = beforeTheStart();
    CommandRun created = run(before, "token", "create", "--name", "x", "--scopes", "chat");
    String id = created.err().replaceAll("(?s).*made token (\\S+) .*", "$1");

    assertThat(run(before, "token", "revoke", id).status()).isZero();

    assertThat(run(before, "token", "list").out()).doesNotContain(id);
    CommandRun again = run(before, "token", "revoke", id);
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err()).endsWith("error [not_found]: token '" + id + "' does not exist\n");
  }

  @Test
  void an_engine_without_local_sessions_that_holds_the_store_is_explained() throws IOException {
    try (TestEngine engine = start(Variable.LOCAL_SESSION, "off")) {
      CommandRun run = run(inDirectory(CommandRun.beside(engine)), "token", "list");

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains("gives out no local sessions; use an API token")
          .contains("is in use by another process")
          .hasLineCount(1);
    }
  }

  @Test
  void a_store_that_is_not_there_is_not_made_to_be_looked_at() throws IOException {
    Map<String, String> before = beforeTheStart();

    assertThat(run(before, "token", "list").err())
        .contains("there is no store in ")
        .hasLineCount(1);
    assertThat(run(before, "token", "revoke", "x").status()).isEqualTo(1);
    assertThat(dataDirectory()).doesNotExist();
  }

  @Test
  void a_named_engine_that_is_not_there_is_not_replaced_by_a_store() throws IOException {
    Map<String, String> before = beforeTheStart();
    String url = "http://127.0.0.1:" + before.get("ENGINE_PORT");

    CommandRun run =
        run(before, "token", "create", "--name", "x", "--scopes", "chat", "--url", url);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).startsWith("engine: no engine answers at " + url).hasLineCount(1);
    assertThat(dataDirectory()).doesNotExist();
  }

  @Test
  void a_token_ends_when_it_was_asked_to() throws IOException {
    Printed out = new Printed();
    Shell shell =
        new Shell(
            CommandRun.stream(""),
            out.stream(),
            new Printed().stream(),
            beforeTheStart(),
            false,
            InstantSource.fixed(Instant.parse("2040-01-01T12:00:00Z")));
    Program program = CommandRun.program(shell, CommandRun.WITHOUT_PAUSES);

    program.run("token", "create", "--name", "x", "--scopes", "chat", "--expires", "30d");
    program.run("token", "list");

    assertThat(out.toString()).contains("  2040-01-01T12:00:00Z  2040-01-31T12:00:00Z  never\n");
  }

  @Test
  void bad_input_is_one_line() throws IOException {
    Map<String, String> before = beforeTheStart();

    assertRefused(
        run(before, "token", "create", "--name", "x", "--scopes", "chat,fly"),
        "engine: 'fly' is not a scope; known are chat, ");
    assertRefused(
        run(before, "token", "create", "--name", "x", "--scopes", "chat", "--expires", "soon"),
        "engine: --expires: 'soon' is not a duration like ");
    assertRefused(run(before, "token", "revoke", " "), "engine: the id of a token is needed");
    assertRefused(
        run(before, "token", "list", "--url", "localhost"), "engine: 'localhost' is not the ");
    assertRefused(
        run(before, "token", "list", "--token", "a\nb"), "engine: the token has characters ");
    assertThat(run(before, "token", "create", "--name", " ", "--scopes", "chat").err())
        .endsWith("error [invalid_request]: name: must not be blank\n");
  }

  @Test
  void wrong_use_has_status_2() {
    assertThat(run(Map.of(), "token", "create", "--name", "x").status()).isEqualTo(2);
    assertThat(run(Map.of(), "token", "revoke").status()).isEqualTo(2);
    assertThat(run(Map.of(), "token").status()).isEqualTo(2);
  }

  @Test
  void a_new_text_is_one_that_an_engine_takes_for_its_first_token() throws IOException {
    CommandRun fresh = run(Map.of(), "token", "new");
    assertThat(fresh.out()).matches(TOKEN);
    assertThat(fresh.err()).isEmpty();

    try (TestEngine engine = start(Variable.BOOTSTRAP_TOKEN, fresh.out().strip())) {
      assertThat(run(with(CommandRun.beside(engine), fresh.out()), "token", "list").out())
          .contains("  bootstrap  admin  ");
    }
  }

  private Path dataDirectory() {
    return directory.resolve("data");
  }

  /** An engine on the same directory as the commands. */
  private TestEngine start(Variable variable, String value) {
    return TestEngine.start(
        Kind.SQLITE,
        options -> {
          options.put(Variable.DATA_DIR, dataDirectory().toString());
          options.put(variable, value);
        });
  }

  private Map<String, String> beforeTheStart() throws IOException {
    return inDirectory(ClosedPort.environment());
  }

  private Map<String, String> inDirectory(Map<String, String> environment) {
    Map<String, String> more = new HashMap<>(environment);
    more.put("ENGINE_DATA_DIR", dataDirectory().toString());
    return more;
  }

  private static Map<String, String> with(Map<String, String> environment, String token) {
    Map<String, String> more = new HashMap<>(environment);
    more.put("ENGINE_TOKEN", token.strip());
    return more;
  }

  private static CommandRun run(Map<String, String> environment, String... arguments) {
    return CommandRun.of(environment, arguments);
  }

  private static void assertRefused(CommandRun run, String start) {
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith(start).hasLineCount(1);
  }
}
