package agentengine.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Writes JSON values as YAML that people like to read; the same values are the same bytes. */
final class YamlWriter {
  private static final int MAX_PLAIN_DIGITS = 18;
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{[A-Za-z_][A-Za-z0-9_]*}");

  private static final String INK = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]";

  /** Texts without odd characters, and without blanks at the ends, which other styles can lose. */
  private static final Pattern TAME =
      Pattern.compile("(INK([INK \n]*INK)?\n?)?".replace("INK", INK));

  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setSplitLines(false)
          .setIndent(2)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .build();

  private YamlWriter() {}

  static String write(ObjectNode document) {
    return new Present(SETTINGS)
        .emitToString(new Serialize(SETTINGS).serializeOne(node(document)).iterator());
  }

  private static Node node(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> mapping(value);
      case ARRAY -> sequence(value);
      case NUMBER -> number(value.decimalValue());
      case BOOLEAN -> plain(Tag.BOOL, value.asText());
      case NULL -> plain(Tag.NULL, "null");
      default -> text(value.asText());
    };
  }

  private static Node mapping(JsonNode object) {
    List<NodeTuple> entries = new ArrayList<>();
    object
        .properties()
        .forEach(entry -> entries.add(new NodeTuple(key(entry.getKey()), node(entry.getValue()))));
    return new MappingNode(Tag.MAP, entries, entries.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
  }

  private static Node key(String name) {
    boolean tame = TAME.matcher(name).matches() && name.indexOf('\n') < 0;
    return new ScalarNode(Tag.STR, name, tame ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
  }

  private static Node sequence(JsonNode array) {
    List<Node> items = new ArrayList<>();
    array.forEach(item -> items.add(node(item)));
    return new SequenceNode(Tag.SEQ, items, items.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
  }

  /** By its value alone, however it came to be written: 1.0 and 1 are the same number. */
  private static Node number(BigDecimal value) {
    BigDecimal shortest = value.stripTrailingZeros();
    boolean whole = shortest.scale() <= 0;
    return whole && shortest.precision() - shortest.scale() <= MAX_PLAIN_DIGITS
        ? plain(Tag.INT, shortest.toPlainString())
        : plain(whole && shortest.scale() == 0 ? Tag.INT : Tag.FLOAT, shortest.toString());
  }

  private static Node text(String text) {
    if (!TAME.matcher(text).matches()) {
      return new ScalarNode(Tag.STR, text, ScalarStyle.DOUBLE_QUOTED);
    }
    if (text.indexOf('\n') >= 0) {
      return new ScalarNode(Tag.STR, text, ScalarStyle.LITERAL);
    }
    // The library has a tag for these, and would put a text that looks like one into quotes.
    return plain(REFERENCE.matcher(text).matches() ? Tag.ENV_TAG : Tag.STR, text);
  }

  /** The writer quotes what would be read as something else. */
  private static Node plain(Tag tag, String text) {
    return new ScalarNode(tag, text, ScalarStyle.PLAIN);
  }
}
