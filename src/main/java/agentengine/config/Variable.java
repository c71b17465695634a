package agentengine.config;

import java.util.Locale;

/** What can be set before the start: by the environment, or by a flag of the same name. */
public enum Variable {
  HOST("127.0.0.1", "0.0.0.0", "address to listen on"),
  PORT("8080", "8080", "port to listen on, 0 for a free one"),
  DATA_DIR("./data", "/var/lib/agent-engine", "directory of the database and the key file"),
  CONFIG("./engine.yaml", "/etc/agent-engine.yaml", "configuration document"),
  DATABASE_URL(
      "", "postgresql://user:password@localhost:5432/engine", "PostgreSQL instead of SQLite"),
  AUTH_MODE("local", "external", "local, or external when another party issues the JWTs"),
  LOCAL_SESSION("on", "off", "whether callers on this machine get an admin token for the asking"),
  LOCAL_SESSION_TTL("1h", "8h", "how long such a token is good"),
  JWT_PUBLIC_KEY(
      "", "/etc/agent-engine/jwt.pem", "Ed25519 public key, PEM or JWK, of external mode"),
  JWT_ISSUER("", "https://login.example.com", "issuer that JWTs must name"),
  JWT_AUDIENCE("", "agent-engine", "audience that JWTs must name"),
  JWT_DEFAULT_SCOPES("", "chat tasks", "scopes of a JWT that names none"),
  MASTER_KEY("", "$(openssl rand -base64 32)", "key for secrets at rest: base64 of 32 bytes"),
  BOOTSTRAP_TOKEN("", "ae_ and 36 characters, as ./engine token new prints", "a first admin token"),
  CORS_ORIGINS("", "https://app.example.com", "origins whose pages may use the API"),
  SHUTDOWN_GRACE("10s", "30s", "how long running turns may go on when the engine stops"),
  LOG_FORMAT("text", "json", "text or json"),
  LOG_LEVEL("info", "debug", "error, warning, info or debug"),
  OTEL_EXPORTER_OTLP_ENDPOINT(
      "", "http://localhost:4318", "collector that is sent spans, as OTLP over HTTP"),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT(
      "", "http://localhost:4318/v1/traces", "the same, as the whole address"),
  OTEL_EXPORTER_OTLP_HEADERS(
      "", "x-api-key=secret,x-team=agents", "headers that the collector wants"),
  OTEL_SERVICE_NAME("agent-engine", "support-agents", "what the engine is called in traces");

  private final String fallback;
  private final String example;
  private final String description;

  Variable(String fallback, String example, String description) {
    this.fallback = fallback;
    this.example = example;
    this.description = description;
  }

  /** Ours begin with the engine's name; those of OpenTelemetry have the names that all know. */
  public String environmentName() {
    return name().startsWith("OTEL_") ? name() : "ENGINE_" + name();
  }

  public String flag() {
    return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String fallback() {
    return fallback;
  }

  public String example() {
    return example;
  }

  public String description() {
    return description;
  }
}
