package agentengine.config;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.model.ModelRecord;
import agentengine.model.ModelSpec;
import agentengine.model.Models;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** The models of a document. */
record ModelPart(Models models) implements Part<ModelSpec> {
  @Override
  public String key() {
    return "models";
  }

  @Override
  public String kind() {
    return "model";
  }

  @Override
  public ModelSpec read(String name, Fields fields) {
    return ModelSpec.read(name, fields);
  }

  @Override
  public Action action(Handle handle, ModelSpec wanted) {
    return models
        .find(handle, wanted.name())
        .map(stored -> isAsWanted(stored, wanted) ? Action.UNCHANGED : Action.UPDATE)
        .orElse(Action.CREATE);
  }

  private static boolean isAsWanted(ModelRecord stored, ModelSpec wanted) {
    boolean sameKey =
        switch (wanted.key()) {
          case ModelSpec.KeyChange.Keep() -> true;
          case ModelSpec.KeyChange.Remove() -> stored.apiKey() == null;
          case ModelSpec.KeyChange.Set(Secret key) -> Objects.equals(stored.apiKey(), key);
        };
    return sameKey
        && stored.kind() == wanted.kind()
        && stored.modelName().equals(wanted.modelName())
        && Objects.equals(stored.declaredBaseUrl(), wanted.baseUrl());
  }

  @Override
  public void write(Handle handle, String actor, ModelSpec model) {
    models.put(handle, actor, model);
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    SortedMap<String, Entry> entries = new TreeMap<>();
    models.list(handle).forEach(model -> entries.put(model.name(), entry(model)));
    return entries;
  }

  private static Entry entry(ModelRecord model) {
    ObjectNode fields = Json.object();
    fields.put("type", model.kind().wireName());
    fields.put("model_name", model.modelName());
    fields.put("base_url", model.declaredBaseUrl());
    Secret key = model.apiKey();
    return new Entry(
        fields, Json.object().putNull("base_url"), key == null ? Map.of() : Map.of("api_key", key));
  }
}
