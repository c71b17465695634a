package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramTest {
  @Test
  void help_lists_the_commands_and_tells_of_each() {
    assertThat(run("--help").out()).contains("chat   Chat with a schema", "token  Make, list");
    assertThat(run("chat", "--help").out())
        .startsWith("Usage: engine chat [-h] ")
        .contains("SCHEMA");
    assertThat(run("token", "create", "-h").out()).contains("--scopes=SCOPES", "--data-dir=VALUE");
    assertThat(run("audit", "verify", "-h").out())
        .contains("--master-key=VALUE", "--data-dir=VALUE");
    assertThat(run("--version").out()).isEqualTo("Agent Engine test\n");
  }

  @Test
  void wrong_use_is_told_in_two_lines_with_status_2() {
    CommandRun run = run("chat", "--nonsense");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(2).endsWith("engine chat --help tells how it is used\n");
  }

  @Test
  void no_command_at_all_shows_the_usage() {
    CommandRun run = run();

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).startsWith("Usage: engine ");
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(Map.of(), arguments);
  }
}
