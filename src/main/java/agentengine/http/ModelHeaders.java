package agentengine.http;

import agentengine.config.Settings;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.model.ModelSpec;
import agentengine.model.ProviderKind;
import agentengine.secret.Secret;
import agentengine.turn.ModelOverride;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the headers by which a request brings its own model; no complaint repeats a value. */
final class ModelHeaders {
  private static final HeaderName PROVIDER = HeaderNames.create(ModelOverride.PROVIDER_HEADER);
  private static final HeaderName KEY = HeaderNames.create(ModelOverride.KEY_HEADER);
  private static final HeaderName NAME = HeaderNames.create(ModelOverride.NAME_HEADER);

  private ModelHeaders() {}

  /** What the request brings, or null when it uses the agent's own model. */
  static @Nullable ModelOverride read(Exchange exchange, Settings.ModelOverride allowed) {
    ObjectNode sent = Json.object();
    for (HeaderName header : List.of(PROVIDER, KEY, NAME)) {
      String value = exchange.wholeHeader(header);
      if (value != null) {
        sent.put(header.defaultCase(), value);
      }
    }
    return sent.isEmpty() ? null : allowed(override(Fields.of(sent)), allowed);
  }

  private static ModelOverride override(Fields headers) {
    for (HeaderName header : List.of(PROVIDER, KEY)) {
      if (!headers.has(header.defaultCase())) {
        throw EngineException.invalid(
            header.defaultCase(),
            "is missing: to bring a model, send "
                + ModelOverride.PROVIDER_HEADER
                + " and "
                + ModelOverride.KEY_HEADER
                + "; to use the agent's own, send no X-Model header");
      }
    }
    Optional<ProviderKind> kind = ModelSpec.kind(headers, ModelOverride.PROVIDER_HEADER);
    Secret key = ModelSpec.requiredKey(headers, ModelOverride.KEY_HEADER);
    String name =
        headers.has(ModelOverride.NAME_HEADER)
            ? ModelSpec.modelName(headers, ModelOverride.NAME_HEADER)
            : null;
    headers.finish();
    return new ModelOverride(kind.orElseThrow(), key, name);
  }

  private static ModelOverride allowed(ModelOverride override, Settings.ModelOverride settings) {
    String provider = override.kind().wireName();
    if (!settings.enabled() || !settings.providers().contains(provider)) {
      throw new EngineException(
          ErrorCode.MODEL_OVERRIDE_DISABLED,
          "a request may not bring a model of '"
              + provider
              + "' here; an administrator allows it in the settings: model_override.enabled true,"
              + " and '"
              + provider
              + "' in model_override.providers");
    }
    return override;
  }
}
