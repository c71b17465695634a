package agentengine.tool;

import agentengine.json.Json;
import agentengine.model.ToolDefinition;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Tells the time, in any time zone. */
final class CurrentTime implements Tool {
  static final String NAME = "current_time";

  private static final ToolDefinition DEFINITION =
      new ToolDefinition(
          NAME,
          "Tells the current date and time.",
          Json.parseObject(
              """
              {"type": "object",
               "properties": {
                 "timezone": {"type": "string", "maxLength": 100,
                              "description": "IANA time zone like Europe/Berlin; default UTC"}},
               "additionalProperties": false}
              """));

  private final InstantSource clock;
  private final ArgumentRules rules = new ArgumentRules(DEFINITION.parameters());

  CurrentTime(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public ToolDefinition definition() {
    return DEFINITION;
  }

  @Override
  public Effect effect() {
    return Effect.READ_ONLY;
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    return rules.problem(arguments);
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments) throws ToolFailure {
    String zone = arguments.path("timezone").asText("UTC");
    // Not all that Java takes: its own short forms mean nothing elsewhere.
    if (!ZoneId.getAvailableZoneIds().contains(zone)) {
      throw new ToolFailure(
          "there is no time zone '" + zone + "'; use an IANA name like Europe/Berlin");
    }
    return Json.object()
        .put(
            "time",
            clock
                .instant()
                .truncatedTo(ChronoUnit.SECONDS)
                .atZone(ZoneId.of(zone))
                .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME))
        .put("timezone", zone);
  }
}
