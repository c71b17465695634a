package agentengine.config;

import agentengine.auth.JwtRules;
import agentengine.auth.Scope;
import agentengine.log.Logs;
import agentengine.secret.Secret;
import agentengine.time.Durations;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the operator decided before the start, checked. */
public record BootOptions(
    String host,
    int port,
    Path dataDirectory,
    Path configuration,
    @Nullable DatabaseUrl database,
    Auth auth,
    @Nullable Secret masterKey,
    @Nullable Secret bootstrapToken,
    Set<String> corsOrigins,
    Duration shutdownGrace,
    Log log,
    @Nullable TraceOptions traces) {

  /** How callers prove who they are; a public key means that another party issues the JWTs. */
  public record Auth(
      boolean localSession,
      Duration localSessionTtl,
      @Nullable Path publicKey,
      JwtRules jwtRules) {}

  /** The address of a PostgreSQL; it may hold a password. */
  public record DatabaseUrl(URI uri) {
    @Override
    public String toString() {
      return "postgresql://***";
    }
  }

  /** How log lines look, and which are written. */
  public record Log(Logs.Format format, Level level) {}

  private static final Duration MAX_GRACE = Duration.ofHours(1);

  /**
   * Reads the options.
   *
   * @param given values by variable, flags before the environment
   * @throws BadOption naming the first one that is wrong
   */
  public static BootOptions read(Map<Variable, String> given) {
    Values values = new Values(given);
    return new BootOptions(
        values.text(Variable.HOST),
        port(values),
        values.path(Variable.DATA_DIR),
        values.path(Variable.CONFIG),
        database(values),
        auth(values),
        values.secret(Variable.MASTER_KEY),
        values.secret(Variable.BOOTSTRAP_TOKEN),
        origins(values),
        values.duration(Variable.SHUTDOWN_GRACE, Duration.ZERO, MAX_GRACE),
        new Log(
            values.choice(Variable.LOG_FORMAT, "text", "json").equals("json")
                ? Logs.Format.JSON
                : Logs.Format.TEXT,
            level(values.choice(Variable.LOG_LEVEL, "error", "warning", "info", "debug"))),
        TraceOptions.read(values::text));
  }

  private static int port(Values values) {
    String text = values.text(Variable.PORT);
    if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > 65_535) {
      throw new BadOption(Variable.PORT, "must be a number from 0 to 65535, not '" + text + "'");
    }
    return Integer.parseInt(text);
  }

  private static @Nullable DatabaseUrl database(Values values) {
    String text = values.text(Variable.DATABASE_URL);
    if (text.isEmpty()) {
      return null;
    }
    try {
      URI uri = new URI(text);
      boolean postgres = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
      if (postgres && uri.getHost() != null && uri.getPath().length() > 1) {
        return new DatabaseUrl(uri);
      }
    } catch (URISyntaxException _) {
      // Told below, without repeating the text: it may hold a password.
    }
    throw new BadOption(Variable.DATABASE_URL, "is not the address of a PostgreSQL database");
  }

  private static Auth auth(Values values) {
    boolean external = values.choice(Variable.AUTH_MODE, "local", "external").equals("external");
    boolean hasKey = !values.text(Variable.JWT_PUBLIC_KEY).isEmpty();
    if (external && !hasKey) {
      throw new BadOption(Variable.JWT_PUBLIC_KEY, "is required when ENGINE_AUTH_MODE is external");
    }
    JwtRules rules =
        new JwtRules(
            values.optional(Variable.JWT_ISSUER),
            values.optional(Variable.JWT_AUDIENCE),
            scopes(values));
    boolean localSession =
        values.choice(Variable.LOCAL_SESSION, "on", "off").equals("on") && !external;
    return new Auth(
        localSession,
        values.duration(Variable.LOCAL_SESSION_TTL, Duration.ofSeconds(1), Duration.ofDays(3650)),
        external ? values.path(Variable.JWT_PUBLIC_KEY) : null,
        external ? rules : JwtRules.NONE);
  }

  private static Set<Scope> scopes(Values values) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String name : values.list(Variable.JWT_DEFAULT_SCOPES)) {
      Scope scope = Scope.find(name);
      if (scope == null) {
        throw new BadOption(
            Variable.JWT_DEFAULT_SCOPES,
            "names '" + name + "', which is not one of " + String.join(", ", Scope.wireNames()));
      }
      scopes.add(scope);
    }
    return scopes;
  }

  private static Set<String> origins(Values values) {
    List<String> origins = values.list(Variable.CORS_ORIGINS);
    for (String origin : origins) {
      if (!origin.equals("*") && !origin.matches("https?://[^/\\s,]+")) {
        throw new BadOption(
            Variable.CORS_ORIGINS, "has '" + origin + "', which is not an origin or *");
      }
    }
    return Set.copyOf(origins);
  }

  private static Level level(String name) {
    return switch (name) {
      case "error" -> Level.SEVERE;
      case "warning" -> Level.WARNING;
      case "debug" -> Level.FINE;
      default -> Level.INFO;
    };
  }

  /** The given values, with the defaults where nothing is given. */
  private record Values(Map<Variable, String> given) {
    String text(Variable variable) {
      return given.getOrDefault(variable, variable.fallback()).strip();
    }

    @Nullable String optional(Variable variable) {
      String text = text(variable);
      return text.isEmpty() ? null : text;
    }

    @Nullable Secret secret(Variable variable) {
      String text = text(variable);
      return text.isEmpty() ? null : new Secret(text);
    }

    List<String> list(Variable variable) {
      return Arrays.stream(text(variable).split("[\\s,]+"))
          .filter(item -> !item.isEmpty())
          .collect(Collectors.toList());
    }

    Path path(Variable variable) {
      try {
        return Path.of(text(variable));
      } catch (InvalidPathException _) {
        throw new BadOption(variable, "is not a path");
      }
    }

    String choice(Variable variable, String... allowed) {
      String text = text(variable).toLowerCase(Locale.ROOT);
      if (!List.of(allowed).contains(text)) {
        throw new BadOption(
            variable, "must be one of " + String.join(", ", allowed) + ", not '" + text + "'");
      }
      return text;
    }

    Duration duration(Variable variable, Duration min, Duration max) {
      String text = text(variable);
      try {
        Duration duration = Durations.parse(text);
        if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
          return duration;
        }
      } catch (IllegalArgumentException _) {
        // Told below.
      }
      throw new BadOption(
          variable,
          "must be a duration from "
              + Durations.format(min)
              + " to "
              + Durations.format(max)
              + ", not '"
              + text
              + "'");
    }
  }
}
