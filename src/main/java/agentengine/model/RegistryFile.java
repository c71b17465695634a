package agentengine.model;

import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.model.RegistryModel.Thinking;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What {@code model-registry.yaml} holds. */
record RegistryFile(
    List<RegistryProvider> providers,
    List<RegistryModel> models,
    Map<ProviderKind, Map<String, RegistryModel>> modelsById) {
  private static final String NAME = "/model-registry.yaml";
  private static final int MAX_TEXT = 200;
  private static final int MAX_TOKENS = 100_000_000;
  private static final double MAX_PRICE = 1_000;
  private static final List<String> AUTH = List.of("api_key", "none");

  /** Reads the file, which is part of the program: what is wrong with it is a bug. */
  static RegistryFile read() {
    List<FieldError> errors = new ArrayList<>();
    RegistryFile file = read(tree(), errors);
    if (!errors.isEmpty()) {
      throw new IllegalStateException(NAME + " is wrong: " + errors);
    }
    return file;
  }

  private static JsonNode tree() {
    try (InputStream in = RegistryFile.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IllegalStateException(NAME + " is missing from the program");
      }
      Object yaml = new Load(LoadSettings.builder().build()).loadFromInputStream(in);
      return Json.parse(Json.writeRecord(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RegistryFile read(JsonNode root, List<FieldError> errors) {
    List<RegistryProvider> providers = new ArrayList<>();
    List<RegistryModel> models = new ArrayList<>();
    Map<ProviderKind, Map<String, RegistryModel>> modelsById = new EnumMap<>(ProviderKind.class);
    for (JsonNode entry : root.path("providers")) {
      String id = entry.path("id").asText();
      JsonNode itsModels = entry.path("models");
      Fields fields = Fields.of(entry, "providers." + id, errors);
      RegistryProvider provider = provider(fields);
      providers.add(provider);
      boolean _ = fields.has("models");
      fields.complete();
      for (JsonNode model : itsModels) {
        String place = "providers." + id + ".models." + model.path("id").asText();
        RegistryModel known = model(id, Fields.of(model, place, errors));
        models.add(known);
        modelsById.computeIfAbsent(provider.kind(), _ -> new HashMap<>()).put(known.id(), known);
      }
    }
    return new RegistryFile(List.copyOf(providers), List.copyOf(models), modelsById);
  }

  /** The models of a kind of provider, by their ids. */
  Map<String, RegistryModel> byKind(ProviderKind kind) {
    return modelsById.getOrDefault(kind, Map.of());
  }

  private static RegistryProvider provider(Fields fields) {
    String kind = fields.oneOf("type", "", ProviderKind.wireNames());
    return new RegistryProvider(
        fields.requiredString("id", MAX_TEXT),
        fields.requiredString("display_name", MAX_TEXT),
        ProviderKind.ofWireName(kind).orElse(ProviderKind.OPENAI_COMPATIBLE),
        fields.oneOf("auth", "", AUTH),
        fields.requiredString("website", MAX_TEXT),
        fields.string("default_base_url", MAX_TEXT));
  }

  private static RegistryModel model(String provider, Fields fields) {
    RegistryModel model =
        new RegistryModel(
            fields.requiredString("id", MAX_TEXT),
            fields.requiredString("display_name", MAX_TEXT),
            provider,
            whole(fields, "tier", RegistryModel.SMALLEST_TIER),
            whole(fields, "context_window", MAX_TOKENS),
            whole(fields, "max_output", MAX_TOKENS),
            flag(fields, "supports_tools"),
            flag(fields, "supports_vision"),
            price(fields, "pricing_input"),
            price(fields, "pricing_output"),
            fields.number("pricing_cached_input", 0, MAX_PRICE),
            thinking(fields),
            fields.requiredString("description", MAX_TEXT));
    fields.complete();
    return model;
  }

  private static int whole(Fields fields, String name, int max) {
    require(fields, name);
    return fields.integer(name, 1, 1, max);
  }

  private static boolean flag(Fields fields, String name) {
    require(fields, name);
    return fields.bool(name, false);
  }

  private static double price(Fields fields, String name) {
    require(fields, name);
    Double price = fields.number(name, 0, MAX_PRICE);
    return price == null ? 0 : price;
  }

  private static @Nullable Thinking thinking(Fields fields) {
    if (!fields.has("thinking")) {
      return null;
    }
    String name =
        fields.oneOf(
            "thinking", "", Arrays.stream(Thinking.values()).map(Thinking::wireName).toList());
    return Arrays.stream(Thinking.values())
        .filter(thinking -> thinking.wireName().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static void require(Fields fields, String name) {
    if (!fields.has(name)) {
      fields.reject(name, "is required");
    }
  }
}
