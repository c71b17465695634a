package agentengine.model;

import agentengine.json.Fields;
import agentengine.secret.Secret;
import java.net.URI;
import java.net.URISyntaxException;
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
    String type = fields.requiredString("type", 50);
    ProviderKind kind = ProviderKind.ofWireName(type).orElse(ProviderKind.OPENAI_COMPATIBLE);
    boolean known = ProviderKind.wireNames().contains(type);
    if (!known && !type.isBlank()) {
      fields.reject("type", "must be one of " + String.join(", ", ProviderKind.wireNames()));
    }
    String modelName = fields.requiredString("model_name", MAX_MODEL_NAME);
    String baseUrl = baseUrl(fields, known && kind.defaultBaseUrl() == null);
    return new ModelSpec(name, kind, modelName, baseUrl, key(fields));
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
    if (key.chars().anyMatch(c -> c < 0x21 || c > 0x7e)) {
      fields.reject("api_key", "must not hold spaces, line breaks or other than ASCII characters");
    }
    return new KeyChange.Set(new Secret(key));
  }
}
