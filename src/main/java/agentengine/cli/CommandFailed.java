package agentengine.cli;

/** A command cannot do what was asked, for a reason that one line tells. */
final class CommandFailed extends RuntimeException {
  CommandFailed(String reason) {
    super(reason);
  }
}
