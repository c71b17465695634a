package agentengine.config;

import agentengine.error.FieldError;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A YAML text as a tree of JSON values, which remembers where each of them stands. */
final class YamlDocument {
  private static final int MAX_CHARACTERS = 1024 * 1024;
  private static final int MAX_NODES = 100_000;
  private static final int MAX_DEPTH = 50;
  private static final String AGAIN = " again ";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");

  private final Map<String, Mark> marks = new HashMap<>();
  private final List<FieldError> errors = new ArrayList<>();
  private final UnaryOperator<@Nullable String> environment;
  private final Predicate<String> referencesStay;
  private final JsonNode root;
  private int nodes;

  /**
   * Reads a text; {@code ${VAR}} in a value is replaced by the environment's value.
   *
   * @param referencesStay paths of values in which it is not
   * @throws ConfigurationException when it is not YAML
   */
  YamlDocument(
      String text, UnaryOperator<@Nullable String> environment, Predicate<String> referencesStay) {
    this.environment = environment;
    this.referencesStay = referencesStay;
    if (text.length() > MAX_CHARACTERS) {
      throw at(Optional.empty(), "the document has more than " + MAX_CHARACTERS + " characters");
    }
    try {
      LoadSettings settings =
          LoadSettings.builder().setUseMarks(true).setMaxAliasesForCollections(20).build();
      refuseDeepNesting(new Parse(settings).parseString(text));
      Optional<Node> node = new Compose(settings).composeString(text);
      this.root = node.isEmpty() ? Json.object() : convert(node.get(), "");
    } catch (MarkedYamlEngineException e) {
      throw at(e.getProblemMark().or(e::getContextMark), "not valid YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw at(Optional.empty(), "not valid YAML: " + e.getMessage());
    }
  }

  /** Composing a document recurses into it, without a limit of its own. */
  private static void refuseDeepNesting(Iterable<Event> events) {
    int depth = 0;
    for (Event event : events) {
      switch (event.getEventId()) {
        case MappingStart, SequenceStart -> depth++;
        case MappingEnd, SequenceEnd -> depth--;
        default -> {}
      }
      if (depth > MAX_DEPTH) {
        throw at(event.getStartMark(), "nested more than " + MAX_DEPTH + " levels deep");
      }
    }
  }

  private static ConfigurationException at(Optional<Mark> mark, String message) {
    return new ConfigurationException(List.of(problem(mark.orElse(null), "", message)));
  }

  private static ConfigurationException.Problem problem(
      @Nullable Mark mark, String path, String message) {
    return new ConfigurationException.Problem(
        mark == null ? 1 : mark.getLine() + 1,
        mark == null ? 1 : mark.getColumn() + 1,
        path,
        message);
  }

  JsonNode root() {
    return root;
  }

  /** What went wrong in reading values; validation adds to it. */
  List<FieldError> errors() {
    return errors;
  }

  /** All errors with their places, in the order of the text. */
  List<ConfigurationException.Problem> problems() {
    return errors.stream()
        .map(this::problem)
        .sorted(
            Comparator.comparingInt(ConfigurationException.Problem::line)
                .thenComparingInt(ConfigurationException.Problem::column))
        .toList();
  }

  private ConfigurationException.Problem problem(FieldError error) {
    String path = error.field();
    int again = path.lastIndexOf(AGAIN);
    return problem(markOf(path), again < 0 ? path : path.substring(0, again), error.message());
  }

  /** The place of a path; what is missing is blamed on what should hold it. */
  private @Nullable Mark markOf(String path) {
    String at = path;
    while (!marks.containsKey(at) && !at.isEmpty()) {
      int cut = Math.max(at.lastIndexOf('.'), at.lastIndexOf('['));
      at = cut < 0 ? "" : at.substring(0, cut);
    }
    return marks.get(at);
  }

  private JsonNode convert(Node node, String path) {
    if (++nodes > MAX_NODES) {
      throw at(node.getStartMark(), "the document has more than " + MAX_NODES + " values");
    }
    if (node.isRecursive()) {
      throw at(node.getStartMark(), "an alias in here refers to what it is a part of");
    }
    node.getStartMark().ifPresent(mark -> marks.putIfAbsent(path, mark));
    return switch (node) {
      case MappingNode mapping -> object(mapping, path);
      case SequenceNode sequence -> array(sequence, path);
      case ScalarNode scalar -> scalar(scalar, path);
      default -> throw at(node.getStartMark(), "not a map, a list or a value");
    };
  }

  private ObjectNode object(MappingNode mapping, String path) {
    ObjectNode object = Json.object();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        errors.add(new FieldError(path, "has a key that is not a text"));
        continue;
      }
      String name = key.getValue();
      String child = path.isEmpty() ? name : path + "." + name;
      if (object.has(name)) {
        String again = child + AGAIN + marks.size();
        key.getStartMark().ifPresent(mark -> marks.put(again, mark));
        errors.add(new FieldError(again, "'" + name + "' is there twice"));
        continue;
      }
      key.getStartMark().ifPresent(mark -> marks.put(child, mark));
      object.set(name, convert(entry.getValueNode(), child));
    }
    return object;
  }

  private ArrayNode array(SequenceNode sequence, String path) {
    ArrayNode array = Json.array();
    int i = 0;
    for (Node item : sequence.getValue()) {
      array.add(convert(item, path + "[" + i++ + "]"));
    }
    return array;
  }

  private JsonNode scalar(ScalarNode scalar, String path) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      return NullNode.getInstance();
    }
    if (tag.equals(Tag.BOOL)) {
      return BooleanNode.valueOf(Boolean.parseBoolean(text));
    }
    if ((tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) && text.matches("[-+]?[0-9.eE+-]{1,30}")) {
      try {
        return number(new BigDecimal(text));
      } catch (NumberFormatException _) {
        return TextNode.valueOf(text);
      }
    }
    return TextNode.valueOf(withVariables(text, path));
  }

  private static JsonNode number(BigDecimal value) {
    return value.scale() <= 0 && value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
        ? LongNode.valueOf(value.longValueExact())
        : DecimalNode.valueOf(value);
  }

  private String withVariables(String text, String path) {
    if (referencesStay.test(path)) {
      return text;
    }
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder result = new StringBuilder();
    while (matcher.find()) {
      String value = environment.apply(matcher.group(1));
      if (value == null) {
        errors.add(
            new FieldError(path, "the environment variable " + matcher.group(1) + " is not set"));
        value = "";
      }
      matcher.appendReplacement(result, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(result).toString();
  }
}
