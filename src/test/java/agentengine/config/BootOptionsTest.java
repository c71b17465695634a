package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.auth.JwtRules;
import agentengine.auth.Scope;
import agentengine.log.Logs;
import agentengine.secret.Secret;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BootOptionsTest {
  private static final BootOptions DEFAULTS = BootOptions.read(Map.of());

  @Test
  void without_any_value_the_engine_is_a_local_one_on_sqlite() {
    assertThat(DEFAULTS.host()).isEqualTo("127.0.0.1");
    assertThat(DEFAULTS.port()).isEqualTo(8080);
    assertThat(DEFAULTS.dataDirectory()).isEqualTo(Path.of("./data"));
    assertThat(DEFAULTS.configuration()).isEqualTo(Path.of("./engine.yaml"));
    assertThat(DEFAULTS.database()).isNull();
    assertThat(DEFAULTS.auth().localSession()).isTrue();
    assertThat(DEFAULTS.auth().localSessionTtl()).isEqualTo(Duration.ofHours(1));
    assertThat(DEFAULTS.auth().publicKey()).isNull();
    assertThat(DEFAULTS.auth().jwtRules()).isEqualTo(JwtRules.NONE);
    assertThat(DEFAULTS.masterKey()).isNull();
    assertThat(DEFAULTS.bootstrapToken()).isNull();
    assertThat(DEFAULTS.corsOrigins()).isEmpty();
    assertThat(DEFAULTS.shutdownGrace()).isEqualTo(Duration.ofSeconds(10));
    assertThat(DEFAULTS.log()).isEqualTo(new BootOptions.Log(Logs.Format.TEXT, Level.INFO));
    assertThat(DEFAULTS.traces()).isNull();
  }

  @Test
  void every_value_is_taken() {
    Map<Variable, String> given = new EnumMap<>(Variable.class);
    given.put(Variable.HOST, "0.0.0.0");
    given.put(Variable.PORT, "0");
    given.put(Variable.DATA_DIR, "/var/lib/engine");
    given.put(Variable.CONFIG, "/etc/engine.yaml");
    given.put(Variable.DATABASE_URL, "postgresql://me:secret@db.example.com:5433/engine?ssl=true");
    given.put(Variable.AUTH_MODE, "EXTERNAL");
    given.put(Variable.LOCAL_SESSION, "off");
    given.put(Variable.LOCAL_SESSION_TTL, "1h30m");
    given.put(Variable.JWT_PUBLIC_KEY, "/etc/jwt.pem");
    given.put(Variable.JWT_ISSUER, "https://login.example.com");
    given.put(Variable.JWT_AUDIENCE, "engine");
    given.put(Variable.JWT_DEFAULT_SCOPES, "chat, agents:read tasks");
    given.put(Variable.MASTER_KEY, " key ");
    given.put(Variable.BOOTSTRAP_TOKEN, "token");
    given.put(Variable.CORS_ORIGINS, "https://a.example.com http://localhost:3000");
    given.put(Variable.SHUTDOWN_GRACE, "500ms");
    given.put(Variable.LOG_FORMAT, "json");
    given.put(Variable.LOG_LEVEL, "debug");

    BootOptions options = BootOptions.read(given);

    assertThat(options.host()).isEqualTo("0.0.0.0");
    assertThat(options.port()).isZero();
    assertThat(options.dataDirectory()).isEqualTo(Path.of("/var/lib/engine"));
    assertThat(options.configuration()).isEqualTo(Path.of("/etc/engine.yaml"));
    assertThat(options.database())
        .isEqualTo(
            new BootOptions.DatabaseUrl(
                URI.create("postgresql://me:secret@db.example.com:5433/engine?ssl=true")));
    assertThat(options.auth().localSession()).isFalse();
    assertThat(options.auth().localSessionTtl()).isEqualTo(Duration.ofMinutes(90));
    assertThat(options.auth().publicKey()).isEqualTo(Path.of("/etc/jwt.pem"));
    assertThat(options.auth().jwtRules().issuer()).isEqualTo("https://login.example.com");
    assertThat(options.auth().jwtRules().audience()).isEqualTo("engine");
    assertThat(options.auth().jwtRules().defaultScopes())
        .containsExactlyInAnyOrder(Scope.CHAT, Scope.AGENTS_READ, Scope.TASKS);
    assertThat(options.masterKey()).extracting(secret -> secret.reveal()).isEqualTo("key");
    assertThat(options.bootstrapToken()).extracting(secret -> secret.reveal()).isEqualTo("token");
    assertThat(options.corsOrigins())
        .containsExactlyInAnyOrder("https://a.example.com", "http://localhost:3000");
    assertThat(options.shutdownGrace()).isEqualTo(Duration.ofMillis(500));
    assertThat(options.log()).isEqualTo(new BootOptions.Log(Logs.Format.JSON, Level.FINE));
  }

  @Test
  void external_mode_has_no_local_session_whatever_is_set() {
    BootOptions options =
        BootOptions.read(
            Map.of(
                Variable.AUTH_MODE, "external",
                Variable.LOCAL_SESSION, "on",
                Variable.JWT_PUBLIC_KEY, "/etc/jwt.pem"));

    assertThat(options.auth().localSession()).isFalse();
  }

  @Test
  void external_mode_needs_a_public_key() {
    assertThat(problem(Variable.JWT_PUBLIC_KEY, Map.of(Variable.AUTH_MODE, "external")))
        .contains("required")
        .contains("ENGINE_AUTH_MODE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PORT               | -1",
        "PORT               | 65536",
        "PORT               | 99999999999",
        "PORT               | http",
        "PORT               | 80.5",
        "DATABASE_URL       | mysql://localhost/engine",
        "DATABASE_URL       | postgresql://localhost",
        "DATABASE_URL       | postgresql://localhost/",
        "DATABASE_URL       | postgresql:engine",
        "DATABASE_URL       | postgresql://a b/engine",
        "AUTH_MODE          | none",
        "LOCAL_SESSION      | yes",
        "LOCAL_SESSION_TTL  | 0s",
        "LOCAL_SESSION_TTL  | an hour",
        "LOCAL_SESSION_TTL  | 60",
        "LOCAL_SESSION_TTL  | -1h",
        "JWT_DEFAULT_SCOPES | chat everything",
        "CORS_ORIGINS       | app.example.com",
        "CORS_ORIGINS       | https://app.example.com/page",
        "SHUTDOWN_GRACE     | soon",
        "SHUTDOWN_GRACE     | 2h",
        "LOG_FORMAT         | xml",
        "LOG_LEVEL          | loud",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | localhost:4318",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | grpc://localhost:4317",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | http://:4318",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | http://localhost:431800",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | http://localhost?key=a",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT | http://a b/v1/traces",
        "OTEL_EXPORTER_OTLP_HEADERS         | secret",
        "OTEL_EXPORTER_OTLP_HEADERS         | a=1,=2",
        "OTEL_EXPORTER_OTLP_HEADERS         | a=",
        "OTEL_EXPORTER_OTLP_HEADERS         | a b=1",
        "OTEL_EXPORTER_OTLP_HEADERS         | a=%zz",
        "OTEL_EXPORTER_OTLP_HEADERS         | a=1%0d%0ab: 2",
        "OTEL_EXPORTER_OTLP_HEADERS         | Host=elsewhere"
      })
  void a_wrong_value_is_refused_by_the_name_of_its_variable(Variable variable, String value) {
    assertThat(problem(variable, Map.of(variable, value))).isNotBlank();
  }

  @Test
  void a_path_that_no_file_system_has_is_refused() {
    assertThat(problem(Variable.DATA_DIR, Map.of(Variable.DATA_DIR, "a\0b"))).contains("path");
    assertThat(problem(Variable.CONFIG, Map.of(Variable.CONFIG, "a\0b"))).contains("path");
    assertThat(
            problem(
                Variable.JWT_PUBLIC_KEY,
                Map.of(Variable.AUTH_MODE, "external", Variable.JWT_PUBLIC_KEY, "a\0b")))
        .contains("path");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://me:sesame@localhost/engine",
        "postgresql://me:sesame@localhost",
        "postgresql://me:sesame sesame@localhost/engine",
        "postgresql://me:ses#ame@localhost/engine"
      })
  void a_password_in_a_wrong_database_url_is_not_repeated(String url) {
    assertThat(problem(Variable.DATABASE_URL, Map.of(Variable.DATABASE_URL, url)))
        .doesNotContain("sesame")
        .doesNotContain("ses#");
  }

  @Test
  void spans_go_to_the_collector_that_the_known_variables_name() {
    TraceOptions below = traces(Map.of(Variable.OTEL_EXPORTER_OTLP_ENDPOINT, "https://c.example/"));
    assertThat(below.endpoint()).isEqualTo(URI.create("https://c.example/v1/traces"));
    assertThat(below.headers()).isEmpty();
    assertThat(below.serviceName()).isEqualTo("agent-engine");

    TraceOptions whole =
        traces(
            Map.of(
                Variable.OTEL_EXPORTER_OTLP_ENDPOINT, "http://elsewhere:4318",
                Variable.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "http://c.example:4318/spans?a=b",
                Variable.OTEL_EXPORTER_OTLP_HEADERS, "Authorization=Basic%20YQ==, x-team=a+b",
                Variable.OTEL_SERVICE_NAME, "desk"));
    assertThat(whole.endpoint()).isEqualTo(URI.create("http://c.example:4318/spans?a=b"));
    assertThat(whole.headers())
        .isEqualTo(Map.of("authorization", new Secret("Basic YQ=="), "x-team", new Secret("a+b")));
    assertThat(whole.serviceName()).isEqualTo("desk");
  }

  private static TraceOptions traces(Map<Variable, String> given) {
    return Objects.requireNonNull(BootOptions.read(given).traces());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OTEL_EXPORTER_OTLP_ENDPOINT        | http://me:sesame@localhost:4318",
        "OTEL_EXPORTER_OTLP_ENDPOINT        | http://localhost:4318?key=sesame",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT | http://local host/?key=sesame",
        "OTEL_EXPORTER_OTLP_HEADERS         | x-key=sesame,sesame",
        "OTEL_EXPORTER_OTLP_HEADERS         | x-key=sesame%0"
      })
  void a_secret_for_a_collector_is_not_repeated(Variable variable, String value) {
    assertThat(problem(variable, Map.of(variable, value))).doesNotContain("sesame");
  }

  @Test
  void options_do_not_show_their_secrets() {
    BootOptions options =
        BootOptions.read(
            Map.of(
                Variable.DATABASE_URL, "postgresql://me:sesame@localhost/engine",
                Variable.MASTER_KEY, "sesame",
                Variable.BOOTSTRAP_TOKEN, "sesame",
                Variable.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "http://localhost/?key=sesame",
                Variable.OTEL_EXPORTER_OTLP_HEADERS, "x-key=sesame"));

    assertThat(options.toString()).doesNotContain("sesame");
  }

  @ParameterizedTest
  @EnumSource
  void every_variable_has_a_flag_and_explains_itself(Variable variable) {
    assertThat(variable.environmentName()).matches("(ENGINE|OTEL)_[A-Z_]+");
    assertThat(variable.flag()).matches("--[a-z-]+");
    assertThat(variable.example()).isNotBlank();
    assertThat(variable.description()).isNotBlank();
  }

  @ParameterizedTest
  @EnumSource
  void every_example_is_a_good_value(Variable variable) {
    Map<Variable, String> given = new EnumMap<>(Variable.class);
    given.put(Variable.JWT_PUBLIC_KEY, "/etc/jwt.pem");
    given.put(variable, variable.example());

    assertThat(BootOptions.read(given)).isNotNull();
  }

  @Test
  void blanks_around_a_value_do_not_count() {
    assertThat(BootOptions.read(Map.of(Variable.PORT, " 9000 ")).port()).isEqualTo(9000);
    assertThat(BootOptions.read(Map.of(Variable.DATABASE_URL, "  ")).database()).isNull();
  }

  /** What the refusal says of the value; it is one line with the variable and an example. */
  private static String problem(Variable variable, Map<Variable, String> given) {
    BadOption refusal = catchThrowableOfType(BadOption.class, () -> BootOptions.read(given));
    assertThat(refusal).as("%s", given).isNotNull();
    String start = variable.environmentName() + " ";
    String end = "; for example " + variable.example();
    assertThat(refusal.reason()).startsWith(start).endsWith(end).doesNotContain("\n");
    return refusal.reason().substring(start.length(), refusal.reason().length() - end.length());
  }
}
