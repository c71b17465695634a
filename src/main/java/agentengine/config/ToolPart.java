package agentengine.config;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.tool.DeclaredTool;
import agentengine.tool.ToolSpec;
import agentengine.tool.Tools;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The declared tools of a document. */
record ToolPart(Tools tools, UnaryOperator<@Nullable String> environment)
    implements Part<ToolSpec> {
  private static final String HEADERS = "headers";

  @Override
  public String key() {
    return "tools";
  }

  @Override
  public String kind() {
    return "tool";
  }

  @Override
  public @Nullable String nameProblem(String name) {
    String problem = ToolSpec.nameProblem(name);
    return problem == null ? null : "the name " + problem;
  }

  @Override
  public Set<String> fieldsThatKeepReferences() {
    return Set.of(HEADERS);
  }

  @Override
  public ToolSpec read(String name, Fields fields) {
    return ToolSpec.read(name, fields, environment);
  }

  @Override
  public Action action(Handle handle, ToolSpec wanted) {
    return tools
        .find(handle, wanted.name())
        .map(DeclaredTool::spec)
        .map(stored -> isAsWanted(stored, wanted) ? Action.UNCHANGED : Action.UPDATE)
        .orElse(Action.CREATE);
  }

  private static boolean isAsWanted(ToolSpec stored, ToolSpec wanted) {
    ToolSpec whole = wanted.keepingSecretsOf(stored);
    // As texts: the same number is another node when it comes from YAML.
    return asStored(whole).equals(asStored(stored))
        && whole.call().headers().values().equals(stored.call().headers().values());
  }

  private static String asStored(ToolSpec tool) {
    return Json.write(Json.parse(Json.write(tool.toJson())));
  }

  @Override
  public void write(Handle handle, String actor, ToolSpec tool) {
    tools.put(handle, actor, tool);
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    ObjectNode defaults = read("", Fields.of(Json.object(), "tools", new ArrayList<>())).toJson();
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (DeclaredTool tool : tools.list(handle)) {
      entries.put(tool.spec().name(), new Entry(fields(tool.spec()), defaults));
    }
    return entries;
  }

  private static ObjectNode fields(ToolSpec tool) {
    ObjectNode fields = tool.toJson();
    fields.remove("name");
    ObjectNode references = Json.object();
    tool.call()
        .headers()
        .values()
        .forEach(
            (name, value) -> {
              if (value.isReference()) {
                references.put(name, value.text().reveal());
              }
            });
    fields.set(HEADERS, references);
    return fields;
  }
}
