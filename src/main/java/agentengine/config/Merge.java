package agentengine.config;

import agentengine.error.FieldError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A document on its way into the store. */
final class Merge {
  private final List<Part<?>> parts;
  private final WrittenReferences references;
  private final YamlDocument document;
  private final List<DeclaredEntry<?>> declared;

  Merge(List<Part<?>> parts, WrittenReferences references, YamlDocument document) {
    this.parts = parts;
    this.references = references;
    this.document = document;
    this.declared = new DocumentReader(parts).read(document);
  }

  /**
   * Writes all entries inside the caller's transaction.
   *
   * @throws ConfigurationException with all that is wrong; the caller's transaction must then end
   */
  Applied run(Handle handle, String actor) {
    // Written even if something is wrong, so that references can be checked as well: the refusal
    // takes all of it back.
    List<Action> actions = declared.stream().map(entry -> entry.write(handle, actor)).toList();
    addDanglingReferences(handle);
    if (!document.errors().isEmpty()) {
      throw new ConfigurationException(document.problems());
    }
    return finish(handle, actions);
  }

  /** Checked after everything is written, so that entries may name each other in any order. */
  private void addDanglingReferences(Handle handle) {
    List<FieldError> errors = document.errors();
    Set<String> known = errors.stream().map(FieldError::field).collect(Collectors.toSet());
    declared.stream()
        .flatMap(entry -> entry.danglingReferences(handle))
        .filter(problem -> !known.contains(problem.field()))
        .toList()
        .forEach(errors::add);
  }

  private Applied finish(Handle handle, List<Action> actions) {
    WrittenReferences.All written = references.load(handle);
    Map<String, SortedMap<String, Entry>> stored = new HashMap<>();
    parts.forEach(part -> stored.put(part.key(), part.stored(handle)));
    List<Applied.Change> changes = new ArrayList<>();
    Set<Applied.Named> names = new HashSet<>();
    for (int i = 0; i < declared.size(); i++) {
      DeclaredEntry<?> entry = declared.get(i);
      Entry now = entryOf(stored, entry);
      boolean otherwiseWritten = now != null && written.note(handle, entry, now);
      Action action = actions.get(i);
      changes.add(
          new Applied.Change(
              entry.part().kind(),
              entry.name(),
              action == Action.UNCHANGED && otherwiseWritten ? Action.UPDATE : action));
      names.add(new Applied.Named(entry.part().kind(), entry.name()));
    }
    return new Applied(changes, leftAlone(stored, names));
  }

  private static @Nullable Entry entryOf(
      Map<String, SortedMap<String, Entry>> stored, DeclaredEntry<?> declared) {
    SortedMap<String, Entry> entries = stored.get(declared.part().key());
    return entries == null ? null : entries.get(declared.name());
  }

  private List<Applied.Named> leftAlone(
      Map<String, SortedMap<String, Entry>> stored, Set<Applied.Named> named) {
    List<Applied.Named> leftAlone = new ArrayList<>();
    for (Part<?> part : parts) {
      stored
          .getOrDefault(part.key(), Collections.emptySortedMap())
          .forEach(
              (name, entry) -> {
                Applied.Named one = new Applied.Named(part.kind(), name);
                // Settings are always there; nobody asked for those at their defaults.
                if (!named.contains(one) && !entry.fields().equals(entry.defaults())) {
                  leftAlone.add(one);
                }
              });
    }
    return leftAlone;
  }
}
