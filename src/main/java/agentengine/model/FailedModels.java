package agentengine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The models of one call that gave no answer, and why. */
final class FailedModels {
  private record Failed(ModelRecord model, ModelException why) {}

  private final List<Failed> failed = new ArrayList<>();

  void add(ModelRecord model, ModelException why) {
    failed.add(new Failed(model, why));
  }

  /** What the caller is told: the last failure, with the reasons of all before it. */
  ModelException asOne() {
    ModelException last = failed.getLast().why();
    if (failed.size() == 1 || last.kind() == ModelException.Kind.CANCELLED) {
      return last;
    }
    String reasons =
        failed.stream()
            .map(one -> one.model().name() + ": " + one.why().reason())
            .collect(Collectors.joining("; "));
    return new ModelException(
        last.kind(), failed.size() + " models failed: " + reasons, last.retryAfter(), last);
  }
}
