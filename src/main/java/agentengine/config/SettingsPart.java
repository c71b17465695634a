package agentengine.config;

import agentengine.json.Fields;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The settings of a document; each group of them is an entry. */
record SettingsPart(SettingsStore settings) implements Part<SettingsPart.Group> {
  /** A group of settings by its name, with all its fields. */
  record Group(String name, ObjectNode fields) {}

  @Override
  public String key() {
    return "settings";
  }

  @Override
  public String kind() {
    return "settings";
  }

  @Override
  public @Nullable String nameProblem(String name) {
    return Settings.GROUPS.contains(name)
        ? null
        : "is not a field here; known are " + String.join(", ", Settings.GROUPS);
  }

  @Override
  public boolean hasFixedNames() {
    return true;
  }

  @Override
  public Group read(String name, Fields fields) {
    return new Group(name, fields(Settings.readGroup(name, fields), name));
  }

  @Override
  public Action action(Handle handle, Group wanted) {
    return fields(settings.stored(handle), wanted.name()).equals(wanted.fields())
        ? Action.UNCHANGED
        : Action.UPDATE;
  }

  @Override
  public void write(Handle handle, String actor, Group group) {
    settings.putGroup(handle, actor, group.name(), group.fields());
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    Settings stored = settings.stored(handle);
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (String name : Settings.GROUPS) {
      entries.put(name, new Entry(fields(stored, name), fields(Settings.DEFAULT, name)));
    }
    return entries;
  }

  private static ObjectNode fields(Settings settings, String group) {
    return (ObjectNode) settings.toJson().get(group);
  }
}
