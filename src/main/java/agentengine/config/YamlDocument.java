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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
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

  /** What the engine itself runs on, its keys among it, is not for those who may configure it. */
  private static final String ENGINE_VARIABLES = "ENGINE_";

  /** What plain YAML has; a text that looks like a reference gets a tag of its own. */
  private static final Set<Tag> KNOWN_TAGS =
      Set.of(Tag.NULL, Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.STR, Tag.MAP, Tag.SEQ, Tag.ENV_TAG);

  /** A text that took something from the environment, and what became of it. */
  record Reference(Place place, String written, String resolved) {}

  private final Map<String, Mark> marks = new HashMap<>();
  private final List<FieldError> errors = new ArrayList<>();
  private final Map<List<String>, List<Reference>> references = new LinkedHashMap<>();
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
      this.root = node.isEmpty() ? Json.object() : convert(node.get(), Place.ROOT);
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

  /** All texts with references. */
  Stream<Reference> references() {
    return references.values().stream().flatMap(List::stream);
  }

  /** Those of an entry. */
  List<Reference> references(String part, String name) {
    return references.getOrDefault(List.of(part, name), List.of());
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

  private JsonNode convert(Node node, Place place) {
    if (++nodes > MAX_NODES) {
      throw at(node.getStartMark(), "the document has more than " + MAX_NODES + " values");
    }
    if (node.isRecursive()) {
      throw at(node.getStartMark(), "an alias in here refers to what it is a part of");
    }
    node.getStartMark().ifPresent(mark -> marks.putIfAbsent(place.path(), mark));
    if (!KNOWN_TAGS.contains(node.getTag())) {
      errors.add(new FieldError(place.path(), "the tag " + node.getTag() + " is not known here"));
    }
    return switch (node) {
      case MappingNode mapping -> object(mapping, place);
      case SequenceNode sequence -> array(sequence, place);
      case ScalarNode scalar -> scalar(scalar, place);
      default -> throw at(node.getStartMark(), "not a map, a list or a value");
    };
  }

  private ObjectNode object(MappingNode mapping, Place place) {
    ObjectNode object = Json.object();
    for (NodeTuple entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        errors.add(new FieldError(place.path(), "has a key that is not a text"));
        continue;
      }
      String name = key.getValue();
      Place child = place.field(name);
      if (object.has(name)) {
        String again = child.path() + AGAIN + marks.size();
        key.getStartMark().ifPresent(mark -> marks.put(again, mark));
        errors.add(new FieldError(again, "'" + name + "' is there twice"));
        continue;
      }
      key.getStartMark().ifPresent(mark -> marks.put(child.path(), mark));
      object.set(name, convert(entry.getValueNode(), child));
    }
    return object;
  }

  private ArrayNode array(SequenceNode sequence, Place place) {
    ArrayNode array = Json.array();
    int i = 0;
    for (Node item : sequence.getValue()) {
      array.add(convert(item, place.item(i++)));
    }
    return array;
  }

  private JsonNode scalar(ScalarNode scalar, Place place) {
    String text = scalar.getValue();
    Tag tag = scalar.getTag();
    if (tag.equals(Tag.NULL)) {
      return NullNode.getInstance();
    }
    if (tag.equals(Tag.BOOL) && (text.equals("true") || text.equals("false"))) {
      return BooleanNode.valueOf(Boolean.parseBoolean(text));
    }
    if ((tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) && text.matches("[-+]?[0-9.eE+-]{1,1000}")) {
      try {
        return number(new BigDecimal(text));
      } catch (NumberFormatException _) {
        return TextNode.valueOf(text);
      }
    }
    return TextNode.valueOf(withVariables(text, place));
  }

  private static JsonNode number(BigDecimal value) {
    return value.scale() <= 0 && value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
        ? LongNode.valueOf(value.longValueExact())
        : DecimalNode.valueOf(value);
  }

  private String withVariables(String written, Place place) {
    if (referencesStay.test(place.path())) {
      return written;
    }
    String resolved = VariableText.resolved(written, name -> value(name, place));
    if (VariableText.hasReference(written)) {
      references
          .computeIfAbsent(place.entry(), _ -> new ArrayList<>())
          .add(new Reference(place, written, resolved));
    }
    return resolved;
  }

  private String value(String variable, Place place) {
    if (variable.startsWith(ENGINE_VARIABLES)) {
      errors.add(
          new FieldError(
              place.path(),
              "must not hold " + variable + ": what the engine itself runs on is not passed on"));
      return "";
    }
    String value = environment.apply(variable);
    if (value == null) {
      errors.add(
          new FieldError(place.path(), "the environment variable " + variable + " is not set"));
      return "";
    }
    return value;
  }
}
