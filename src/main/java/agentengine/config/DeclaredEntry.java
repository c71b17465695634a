package agentengine.config;

import agentengine.error.FieldError;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * An entry of a document, read.
 *
 * @param fields as they stand there
 * @param references the texts in it that took something from the environment
 */
record DeclaredEntry<S>(
    Part<S> part,
    String name,
    S definition,
    JsonNode fields,
    List<YamlDocument.Reference> references) {

  /** Stores it unless it is there already; what was done. */
  Action write(Handle handle, String actor) {
    Action action = part.action(handle, definition);
    if (action != Action.UNCHANGED) {
      part.write(handle, actor, definition);
    }
    return action;
  }

  /** What it names that is not there. */
  Stream<FieldError> danglingReferences(Handle handle) {
    return part.danglingReferences(handle, definition).stream()
        .map(
            problem ->
                new FieldError(part.key() + "." + name + "." + problem.field(), problem.message()));
  }
}
