package agentengine.config;

import agentengine.secret.Secret;
import agentengine.trace.NoTracing;
import agentengine.trace.OtlpTracing;
import agentengine.trace.Tracing;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where spans are sent, read from the variables that OpenTelemetry's own tools know.
 *
 * @param endpoint the whole address; it may hold a secret in its query
 */
public record TraceOptions(URI endpoint, Map<String, Secret> headers, String serviceName) {
  private static final String TRACES_PATH = "/v1/traces";
  private static final int MAX_PORT = 65_535;

  /** Those that the transport sets itself. */
  private static final Set<String> OWN_HEADERS =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  /** What is set, or null when no collector is. */
  static @Nullable TraceOptions read(Function<Variable, String> text) {
    URI base = address(text, Variable.OTEL_EXPORTER_OTLP_ENDPOINT);
    URI whole = address(text, Variable.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
    Map<String, Secret> headers = headers(text.apply(Variable.OTEL_EXPORTER_OTLP_HEADERS));
    URI endpoint = whole == null && base != null ? below(base) : whole;
    return endpoint == null
        ? null
        : new TraceOptions(endpoint, headers, text.apply(Variable.OTEL_SERVICE_NAME));
  }

  private static URI below(URI base) {
    if (base.getRawQuery() != null) {
      throw new BadOption(
          Variable.OTEL_EXPORTER_OTLP_ENDPOINT, "must not have a query: it is a base for paths");
    }
    return URI.create(base.toString().replaceFirst("/+$", "") + TRACES_PATH);
  }

  private static @Nullable URI address(Function<Variable, String> text, Variable variable) {
    String given = text.apply(variable);
    if (given.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(given);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http
          && uri.getHost() != null
          && uri.getPort() <= MAX_PORT
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null) {
        return uri;
      }
    } catch (URISyntaxException _) {
      // Told below, without repeating the text: it may hold a secret.
    }
    throw new BadOption(variable, "is not an http or https address without user name and password");
  }

  private static Map<String, Secret> headers(String text) {
    Map<String, Secret> headers = new LinkedHashMap<>();
    for (String item : text.split(",", -1)) {
      if (!item.isBlank()) {
        int equals = item.indexOf('=');
        String name = item.substring(0, Math.max(equals, 0)).strip().toLowerCase(Locale.ROOT);
        String value = decoded(item.substring(equals + 1).strip());
        if (!name.matches("[!#$%&'*+.^_`|~0-9a-z-]+")
            || OWN_HEADERS.contains(name)
            || !value.matches("[\\x20-\\x7E]+")) {
          throw badHeaders();
        }
        headers.put(name, new Secret(value));
      }
    }
    return headers;
  }

  /** Values may be percent-encoded; a plus is a plus. */
  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw badHeaders();
    }
  }

  /** It does not say which: what looks like a name may be a piece of a secret. */
  private static BadOption badHeaders() {
    return new BadOption(
        Variable.OTEL_EXPORTER_OTLP_HEADERS,
        "is not a list of name=value with commas between them");
  }

  /** Begins to trace where that is wanted; only then is anything loaded for it. */
  public static Tracing tracing(@Nullable TraceOptions options, String version) {
    return options == null ? NoTracing.OFF : options.tracing(version);
  }

  private Tracing tracing(String version) {
    Map<String, String> revealed =
        headers.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> entry.getValue().reveal()));
    return new OtlpTracing(endpoint, revealed, serviceName, version);
  }

  @Override
  public String toString() {
    return "TraceOptions[***]";
  }
}
