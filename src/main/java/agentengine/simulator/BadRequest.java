package agentengine.simulator;

/** A request, or a cue in it, that makes no sense. */
final class BadRequest extends RuntimeException {
  private final String problem;

  BadRequest(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** What is wrong, for whoever wrote it. */
  String problem() {
    return problem;
  }
}
