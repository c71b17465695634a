package agentengine.model;

import agentengine.json.Fields;
import agentengine.secret.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model record as somebody wants it to be. */
public record ModelSpec(
    String name, ProviderKind kind, String modelName, @Nullable String baseUrl, KeyChange key) {

  /** What becomes of the stored key. */
  public sealed interface KeyChange {
    record Keep() implements KeyChange {}

    record Remove() implements KeyChange {}

    record Set(Secret secret) implements KeyChange {}
  }

  /** Base URLs of this scheme name the simulator inside the engine. */
  public static final String SIMULATOR = "simulator:";

  private static final int MAX_MODEL_NAME = 200;
  private static final int MAX_URL = 2_000;
  private static final int MAX_KEY = 4_000;
  private static final int MAX_PORT = 65_535;

  /** Reads the fields beside the name. */
  public static ModelSpec read(String name, Fields fields) {
    if (name.equals("registry")) {
      fields.reject("name", "'registry' is taken by the model registry; choose another name");
    }
    Optional<ProviderKind> known = kind(fields, "type");
    ProviderKind kind = known.orElse(ProviderKind.OPENAI_COMPATIBLE);
    String modelName = modelName(fields, "model_name");
    String baseUrl = baseUrl(fields, known.isPresent() && kind.defaultBaseUrl() == null);
    return new ModelSpec(name, kind, modelName, baseUrl, key(fields));
  }

  /** Reads the kind of a provider; there is none when it was refused. */
  public static Optional<ProviderKind> kind(Fields fields, String field) {
    String type = fields.requiredString(field, 50);
    Optional<ProviderKind> kind = ProviderKind.ofWireName(type);
    if (kind.isEmpty() && !type.isBlank()) {
      fields.reject(field, "must be one of " + String.join(", ", ProviderKind.wireNames()));
    }
    return kind;
  }

  /** Reads a provider's name of a model. */
  public static String modelName(Fields fields, String field) {
    return fields.requiredString(field, MAX_MODEL_NAME);
  }

  /** Reads a key that must be there. */
  public static Secret requiredKey(Fields fields, String field) {
    return secret(fields, field, fields.requiredString(field, MAX_KEY));
  }

  private static @Nullable String baseUrl(Fields fields, boolean required) {
    String url = fields.string("base_url", MAX_URL);
    if (url == null || url.isEmpty()) {
      // Of what is not a text the getter has complained already.
      if (required && (url != null || !fields.has("base_url"))) {
        fields.reject("base_url", "is required for models of this type");
      }
      return null;
    }
    if (!url.startsWith(SIMULATOR) && !isHttpUrl(url)) {
      fields.reject("base_url", "must be a URL like https://host/v1");
    }
    return url;
  }

  private static boolean isHttpUrl(String text) {
    try {
      URI uri = new URI(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getPort() <= MAX_PORT
          && uri.getUserInfo() == null
          && uri.getFragment() == null;
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private static KeyChange key(Fields fields) {
    if (fields.isNull("api_key")) {
      return new KeyChange.Remove();
    }
    String key = fields.string("api_key", MAX_KEY);
    if (key == null || key.isEmpty()) {
      return new KeyChange.Keep();
    }
    return new KeyChange.Set(secret(fields, "api_key", key));
  }

  private static Secret secret(Fields fields, String field, String key) {
    if (key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
      fields.reject(field, "must not hold spaces, line breaks or other than ASCII characters");
    }
    return new Secret(key);
  }
}
