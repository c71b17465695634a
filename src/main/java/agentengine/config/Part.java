package agentengine.config;

import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.TextRules;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A part of the document: a map of names to definitions of one kind. {@link Parts} lists them.
 *
 * @param <S> a definition as it was read
 */
interface Part<S> {
  /** Its key in the document. */
  String key();

  /** What one of its entries is called. */
  String kind();

  /** What is wrong with a name for an entry, or null. */
  default @Nullable String nameProblem(String name) {
    return TextRules.isResourceName(name) && name.length() <= TextRules.MAX_NAME
        ? null
        : "the name "
            + TextRules.RESOURCE_NAME_RULE
            + ", and at most "
            + TextRules.MAX_NAME
            + " characters";
  }

  /** Whether its names are fields of ours, rather than chosen by whoever writes the document. */
  default boolean hasFixedNames() {
    return false;
  }

  /** Fields in which {@code ${VAR}} is looked up at each use, so that it is stored as it stands. */
  default Set<String> fieldsThatKeepReferences() {
    return Set.of();
  }

  /** Reads the fields of an entry; complaints are the fields' to collect. */
  S read(String name, Fields fields);

  /** What {@link #write} would do, inside the caller's transaction. */
  Action action(Handle handle, S definition);

  /** Stores a definition inside the caller's transaction; a secret that it lacks stays. */
  void write(Handle handle, String actor, S definition);

  /** What a definition names that is not there, once all of the document is written. */
  default List<FieldError> danglingReferences(Handle handle, S definition) {
    return List.of();
  }

  /** All that is stored, by name. */
  SortedMap<String, Entry> stored(Handle handle);
}
