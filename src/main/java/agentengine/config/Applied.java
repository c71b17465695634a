package agentengine.config;

import java.util.List;

/**
 * What became, or would become, of a document.
 *
 * @param changes one for each entry of the document
 * @param leftAlone what is stored and not in the document
 */
public record Applied(List<Change> changes, List<Named> leftAlone) {
  /** An entry of the document and what is done for it. */
  public record Change(String kind, String name, Action action) {}

  /** A definition. */
  public record Named(String kind, String name) {}

  /** How many entries of a kind the document has. */
  public int count(String kind) {
    return (int) changes.stream().filter(change -> change.kind().equals(kind)).count();
  }

  boolean changesNothing() {
    return changes.stream().allMatch(change -> change.action() == Action.UNCHANGED);
  }
}
