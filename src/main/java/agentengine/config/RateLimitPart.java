package agentengine.config;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.limit.RateLimitRule;
import agentengine.limit.RateLimitRules;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The rate-limit rules of a document. */
record RateLimitPart(RateLimitRules rules) implements Part<RateLimitRule> {
  @Override
  public String key() {
    return "rate_limits";
  }

  @Override
  public String kind() {
    return "rate_limit";
  }

  @Override
  public @Nullable String nameProblem(String name) {
    String problem = RateLimitRule.nameProblem(name);
    return problem == null ? null : "the name " + problem;
  }

  @Override
  public RateLimitRule read(String name, Fields fields) {
    return RateLimitRule.read(name, fields);
  }

  @Override
  public Action action(Handle handle, RateLimitRule wanted) {
    Optional<RateLimitRule> stored =
        rules.list(handle).stream().filter(rule -> rule.name().equals(wanted.name())).findFirst();
    return stored
        .map(rule -> rule.equals(wanted) ? Action.UNCHANGED : Action.UPDATE)
        .orElse(Action.CREATE);
  }

  @Override
  public void write(Handle handle, String actor, RateLimitRule rule) {
    rules.put(handle, actor, rule);
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (RateLimitRule rule : rules.list(handle)) {
      ObjectNode fields = rule.toJson();
      fields.remove("name");
      ObjectNode defaults = Json.object();
      defaults.putNull("tier_header");
      entries.put(rule.name(), new Entry(fields, defaults));
    }
    return entries;
  }
}
