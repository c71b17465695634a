package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a table of fields says about an object. */
final class Shapes {
  private Shapes() {}

  static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  static void hasExactly(JsonNode object, String... fields) {
    assertThat(names(object)).as("%s", object).containsExactlyInAnyOrder(fields);
  }

  static void hasAtLeast(JsonNode object, String... fields) {
    assertThat(names(object)).as("%s", object).contains(fields);
  }

  static void strings(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).isTextual()).as("%s of %s", field, object).isTrue();
    }
  }

  static void integers(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).isIntegralNumber()).as("%s of %s", field, object).isTrue();
    }
  }

  static void booleans(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).isBoolean()).as("%s of %s", field, object).isTrue();
    }
  }

  static void timestamps(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(Instant.parse(object.path(field).asText())).isAfter(Instant.EPOCH);
    }
  }

  static void durations(JsonNode object, String... fields) {
    for (String field : fields) {
      assertThat(object.path(field).asText()).matches("(\\d+(ms|d|h|m|s))+");
    }
  }

  static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::textValue).toList();
  }
}
