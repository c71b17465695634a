package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChatCommandTest {
  private static final TestEngine ENGINE = TestEngine.shared(TestDatabases.Kind.SQLITE);
  private static final Map<String, String> ENVIRONMENT = CommandRun.beside(ENGINE);

  @Test
  void the_answer_alone_is_on_standard_output() {
    CommandRun run = chat("--message", "[[think Hm.]] [[say Hello, grüne World!]]");

    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo("Hello, grüne World!\n");
    assertThat(run.err())
        .isEqualTo("Continue with: ./engine chat help --session " + run.session() + "\n");
  }

  @Test
  void a_session_is_continued_by_its_id() {
    CommandRun first = chat("--message", "[[say noted]] My name is Ann.");
    CommandRun second =
        chat("--session", first.session(), "--message", "[[say Before: {{previous}}]]");

    assertThat(second.out()).contains("My name is Ann.");
    assertThat(second.session()).isEqualTo(first.session());
  }

  @Test
  void the_lines_of_the_input_are_messages_of_one_session() {
    CommandRun run =
        input("[[say noted]] My name is Ann.\n\n[[say Before: {{previous}}]]\n", "help");

    assertThat(run.status()).isZero();
    assertThat(run.out()).startsWith("noted\nBefore: ").contains("My name is Ann.");
  }

  @Test
  void new_begins_another_session_and_quit_ends() {
    CommandRun run =
        input("[[say a]]\n/new\n[[say Before: {{previous}}.]]\n/quit\nnever sent\n", "help");

    assertThat(run.out()).isEqualTo("a\nBefore: .\n");
  }

  @Test
  void a_failed_turn_is_one_line_and_status_1() {
    CommandRun run = chat("--message", "[[error 401 Wrong key]]");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines().findFirst())
        .hasValueSatisfying(
            line -> assertThat(line).startsWith("error [model_error]: ").contains("Wrong key"));
  }

  @Test
  void a_script_whose_second_message_fails_has_status_1() {
    CommandRun run = input("[[say a]]\n[[error 400 Bad]]\n", "help");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("a\n");
  }

  @Test
  void a_tool_that_fails_is_one_short_line() {
    CommandRun run =
        chat("--message", "[[tool weather {\"city\":\"Rome\"}]] [[then]] [[say No idea.]]");

    assertThat(run.out()).isEqualTo("No idea.\n");
    assertThat(run.err()).containsPattern("(?m)^\\[weather failed: .*]$");
  }

  @Test
  void an_unknown_schema_is_told_before_anything_is_typed() {
    CommandRun run = CommandRun.typed("hello\n", ENVIRONMENT, "chat", "nobody");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("error [not_found]: schema 'nobody' does not exist\n");
  }

  @Test
  void refusals_of_the_engine_are_one_line() {
    assertRefused(run("chat", "nobody", "--message", "x"), "error [not_found]: schema 'nobody'");
    assertRefused(chat("--session", "nope", "--message", "x"), "error [not_found]: session 'nope'");
    assertRefused(chat("--token", "wrong", "--message", "x"), "error [unauthorized]: ");
    assertRefused(chat("--message", " "), "error [invalid_request]: message: ");
  }

  @Test
  void a_schema_whose_chat_is_off_is_one_line() {
    String name = TestEngine.freshName();
    ENGINE
        .admin()
        .post("/api/v1/schemas", Json.object().put("name", name).put("entry_agent", "helper"))
        .expect(201);

    assertRefused(run("chat", name, "--message", "x"), "error [chat_disabled]: ");
  }

  @Test
  void nobody_there_is_one_line() throws IOException {
    CommandRun run = CommandRun.of(ClosedPort.environment(), "chat", "help");

    assertRefused(run, "engine: no engine answers at http://127.0.0.1:");
    assertThat(run.err()).endsWith("; start one with ./engine start\n");
  }

  @Test
  void a_person_sees_prompts_and_dimmed_thinking() {
    CommandRun run =
        CommandRun.typed("[[think Hm, well.]] [[say Yes.]]\n", ENVIRONMENT, "chat", "help");

    assertThat(run.status()).isZero();
    assertThat(run.out().replaceAll("\u001b\\[0m\u001b\\[2m", ""))
        .isEqualTo("\u001b[2mHm, well.\u001b[0m\nYes.\n");
    assertThat(run.err()).contains("you> ").contains("--session " + run.session());
  }

  @Test
  void a_person_gets_help_and_goes_on_after_a_failure() {
    CommandRun run =
        CommandRun.typed(
            "/help\n/hlep\n[[error 400 Bad]]\n/new\n[[say Still here.]]\n",
            ENVIRONMENT,
            "chat",
            "help");

    assertThat(run.status()).isZero();
    assertThat(run.err())
        .contains("/new     begin a new session\n")
        .contains("there is no command /hlep")
        .contains("error [model_error]: ");
    assertThat(run.out()).isEqualTo("Still here.\n");
  }

  @Test
  void the_address_may_be_given_with_or_without_the_path_of_the_api() {
    String url = "http://127.0.0.1:" + ENVIRONMENT.get("ENGINE_PORT");

    CommandRun run = chat("--url", url + "/api/v1/", "--message", "[[say a]]");

    assertThat(run.out()).isEqualTo("a\n");
    assertThat(run.err()).contains("./engine chat help --url " + url + " --session");
  }

  @Test
  void a_message_with_an_at_sign_is_no_file() {
    assertThat(chat("--message", "@home [[say {{user}}]]").out()).startsWith("@home");
  }

  private CommandRun chat(String... options) {
    String[] arguments = new String[options.length + 2];
    arguments[0] = "chat";
    arguments[1] = "help";
    System.arraycopy(options, 0, arguments, 2, options.length);
    return run(arguments);
  }

  private CommandRun run(String... arguments) {
    return CommandRun.of(ENVIRONMENT, arguments);
  }

  private CommandRun input(String lines, String schema) {
    return CommandRun.withInput(lines, ENVIRONMENT, "chat", schema);
  }

  private static void assertRefused(CommandRun run, String start) {
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith(start).hasLineCount(1);
  }
}
