package agentengine.config;

import agentengine.json.TextRules;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a value stands in a document.
 *
 * @param path for people, as in {@code agents.helper.tools[0]}
 * @param steps the keys on the way; the items of a list are all {@link #ITEM}, so that one is found
 *     again when the list was reordered
 */
record Place(String path, List<String> steps) {
  static final String ITEM = "*";
  static final Place ROOT = new Place("", List.of());

  Place field(String name) {
    return new Place(path.isEmpty() ? name : path + "." + name, and(name));
  }

  Place item(int index) {
    return new Place(path + "[" + index + "]", and(ITEM));
  }

  private List<String> and(String step) {
    return Stream.concat(steps.stream(), Stream.of(step)).toList();
  }

  /** The part and the name of the entry that it is in, as far as it is in one. */
  List<String> entry() {
    return steps.subList(0, Math.min(2, steps.size()));
  }

  /** A JSON pointer from the entry on, in a form that the databases take. */
  String insideEntry() {
    return pointer(steps.subList(2, steps.size()));
  }

  private static String pointer(List<String> steps) {
    return steps.stream().map(Place::pointer).collect(Collectors.joining());
  }

  static String pointer(String step) {
    return "/" + TextRules.storable(step).replace("~", "~0").replace("/", "~1");
  }
}
