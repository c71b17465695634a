package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.Engine;
import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.Variable;
import agentengine.db.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options whose value only the start itself can judge. */
class WrongOptionTest {
  private final Path directory;
  private final Map<Variable, String> options = new EnumMap<>(Variable.class);

  WrongOptionTest(@TempDir Path directory) {
    this.directory = directory;
    options.put(Variable.PORT, "0");
    options.put(Variable.DATA_DIR, directory.resolve("data").toString());
    options.put(Variable.CONFIG, directory.resolve("engine.yaml").toString());
    options.put(Variable.SHUTDOWN_GRACE, "0s");
  }

  @Test
  void a_host_without_an_address() {
    assertThat(problem(Variable.HOST, "nowhere.invalid")).contains("nowhere.invalid");
  }

  @Test
  void a_master_key_that_is_none() {
    assertThat(problem(Variable.MASTER_KEY, "sesame")).doesNotContain("sesame");
    assertThat(problem(Variable.MASTER_KEY, "not base64 at all")).doesNotContain("base64 at all");
  }

  @Test
  void a_bootstrap_token_that_is_none() {
    assertThat(problem(Variable.BOOTSTRAP_TOKEN, "ae_sesame")).doesNotContain("sesame");
  }

  @Test
  void a_public_key_that_is_not_there_or_is_none() throws IOException {
    options.put(Variable.AUTH_MODE, "external");
    assertThat(problem(Variable.JWT_PUBLIC_KEY, directory + "/nowhere.pem"))
        .contains("nowhere.pem");

    Path file = Files.writeString(directory.resolve("key.pem"), "I am no key");
    assertThat(problem(Variable.JWT_PUBLIC_KEY, file.toString())).contains("key.pem");
  }

  @Test
  void a_configuration_that_cannot_be_read() {
    assertThat(problem(Variable.CONFIG, directory.toString())).contains(directory.toString());
  }

  @Test
  void a_data_directory_that_is_a_file() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "I am a file");
    options.put(Variable.DATA_DIR, file.toString());

    StoreUnavailable refusal = catchThrowableOfType(StoreUnavailable.class, this::start);

    assertThat(refusal.reason()).contains(file.toString()).doesNotContain("\n");
  }

  @Test
  void an_engine_that_was_refused_lets_go_of_everything() {
    problem(Variable.BOOTSTRAP_TOKEN, "ae_sesame");
    options.remove(Variable.BOOTSTRAP_TOKEN);

    start();
  }

  private void start() {
    new Engine(BootOptions.read(options), _ -> null).close();
  }

  /** What is said against the value, in one line with the variable and an example. */
  private String problem(Variable variable, String value) {
    options.put(variable, value);
    BadOption refusal = catchThrowableOfType(BadOption.class, this::start);
    assertThat(refusal).isNotNull();
    assertThat(refusal.reason())
        .startsWith(variable.environmentName() + " ")
        .endsWith("; for example " + variable.example())
        .doesNotContain("\n");
    return refusal.reason();
  }
}
