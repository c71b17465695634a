package agentengine.limit;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.time.Durations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A limit on the requests that carry the same value of a header; a second header may say which tier
 * that value is in.
 */
public record RateLimitRule(
    String name,
    String keyHeader,
    @Nullable String tierHeader,
    String defaultTier,
    Map<String, Limit> tiers) {
  private static final int MAX_HEADER = 200;
  private static final int MAX_TIERS = 50;
  private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final Pattern TIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

  /** What these headers hold must not be stored and shown as a key is. */
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "proxy-authorization", "cookie", "set-cookie", "x-model-api-key");

  public RateLimitRule {
    tiers = Collections.unmodifiableMap(new LinkedHashMap<>(tiers));
  }

  /** What is wrong with a name for a rule, or null. */
  public static @Nullable String nameProblem(String name) {
    if (!TextRules.isResourceName(name) || name.length() > TextRules.MAX_NAME) {
      return TextRules.RESOURCE_NAME_RULE + ", and at most " + TextRules.MAX_NAME + " characters";
    }
    return name.equals(RateLimits.DEFAULT)
        ? "must not be '" + name + "', which is the limit in the settings"
        : null;
  }

  /** Reads the fields beside the name. */
  public static RateLimitRule read(String name, Fields fields) {
    String keyHeader = fields.requiredString("key_header", MAX_HEADER);
    checkHeader(fields, "key_header", keyHeader);
    String tierHeader = null;
    if (fields.has("tier_header")) {
      tierHeader = fields.requiredString("tier_header", MAX_HEADER);
      checkHeader(fields, "tier_header", tierHeader);
    }
    Map<String, Limit> tiers = tiers(fields);
    String defaultTier = fields.requiredString("default_tier", TextRules.MAX_NAME);
    if (!defaultTier.isBlank() && !tiers.isEmpty() && !tiers.containsKey(defaultTier)) {
      fields.reject(
          "default_tier", "must be one of the tiers: " + String.join(", ", tiers.keySet()));
    }
    return new RateLimitRule(name, keyHeader, tierHeader, defaultTier, tiers);
  }

  private static void checkHeader(Fields fields, String field, String header) {
    if (header.isBlank()) {
      return; // and complained about already
    }
    if (!HEADER.matcher(header).matches()) {
      fields.reject(field, "is not a name for a header");
    } else if (CREDENTIALS.contains(header.toLowerCase(Locale.ROOT))) {
      fields.reject(field, "must not be " + header + ": what it holds is a secret");
    }
  }

  private static Map<String, Limit> tiers(Fields fields) {
    Map<String, Limit> tiers = new LinkedHashMap<>();
    ObjectNode node = fields.json("tiers");
    if (node == null || node.isEmpty()) {
      if (node != null || !fields.has("tiers")) {
        fields.reject("tiers", "must have at least one tier");
      }
      return tiers;
    }
    if (node.size() > MAX_TIERS) {
      fields.reject("tiers", "must have at most " + MAX_TIERS + " entries");
      return tiers;
    }
    Fields each = fields.object("tiers");
    for (String tier : (Iterable<String>) node::fieldNames) {
      if (tier.length() > TextRules.MAX_NAME || !TIER.matcher(tier).matches()) {
        each.reject(tier, "the name of a tier must be letters, digits, dots, underscores, hyphens");
      }
      Fields limit = each.object(tier);
      tiers.put(tier, Limit.read(limit));
      limit.complete();
    }
    return tiers;
  }

  /** The tier that a request is in; one that there is not is the default one. */
  String tier(@Nullable String wanted) {
    return wanted != null && tiers.containsKey(wanted) ? wanted : defaultTier;
  }

  Limit limit(String tier) {
    Limit limit = tiers.get(tier);
    if (limit == null) {
      throw new IllegalStateException("rule " + name + " has no tier " + tier);
    }
    return limit;
  }

  /** The definition with the document's field names; {@link #read} takes it back. */
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.put("name", name);
    json.put("key_header", keyHeader);
    json.put("tier_header", tierHeader);
    json.put("default_tier", defaultTier);
    ObjectNode each = json.putObject("tiers");
    tiers.forEach(
        (tier, limit) ->
            each.putObject(tier)
                .put("requests", limit.requests())
                .put("window", Durations.format(limit.window())));
    return json;
  }
}
