package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class TargetTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', http://127.0.0.1:8080",
    "0.0.0.0, 9000, http://127.0.0.1:9000",
    "::, '', http://[::1]:8080",
    "::1, '', http://[::1]:8080",
    "engine.local, 80, http://engine.local:80"
  })
  void the_usual_engine_is_the_one_of_the_environment(String host, String port, String url) {
    Target target = read(Map.of("ENGINE_HOST", host, "ENGINE_PORT", port));

    assertThat(target).isEqualTo(new Target(url, false, null));
  }

  @ParameterizedTest
  @CsvSource({
    "http://a:1, http://a:1",
    "https://a/, https://a",
    "https://a/engine/api/v1/, https://a/engine"
  })
  void a_given_url_is_taken_without_the_path_of_the_api(String given, String url) {
    Target target = read(Map.of(), "--url", given);

    assertThat(target.url()).isEqualTo(url);
    assertThat(target.isChosen()).isTrue();
    assertThat(target.at("/health")).hasToString(url + "/api/v1/health");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:8080", "ftp://a", "http://", "http://a?b=c", "http://a b"})
  void other_addresses_are_refused(String url) {
    assertThatThrownBy(() -> read(Map.of(), "--url", url))
        .isInstanceOf(CommandFailed.class)
        .hasMessageContaining("is not the address of an engine");
  }

  @Test
  void a_given_token_wins_over_that_of_the_environment_and_neither_is_shown() {
    Map<String, String> environment = Map.of("ENGINE_TOKEN", "of-environment");

    Target given = read(environment, "--token", "given");
    assertThat(given.token()).extracting(token -> token.reveal()).isEqualTo("given");
    assertThat(read(environment).token())
        .extracting(token -> token.reveal())
        .isEqualTo("of-environment");
    assertThat(given.toString()).doesNotContain("given]").contains("***");
  }

  private static Target read(Map<String, String> environment, String... arguments) {
    CommandSpec spec = CommandSpec.create();
    Target.addOptionsTo(spec);
    Shell shell =
        new Shell(
            CommandRun.stream(""),
            new Printed().stream(),
            new Printed().stream(),
            environment,
            false,
            InstantSource.system());
    return Target.read(new CommandLine(spec).parseArgs(arguments), shell);
  }
}
