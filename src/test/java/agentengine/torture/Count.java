package agentengine.torture;

/** What is counted during a run, in the order of the report. */
enum Count {
  KILLS("kills"),
  KILLS_BEFORE_READY("  of them before the engine was ready"),
  STARTS("starts"),
  MESSAGES_ACCEPTED("messages accepted"),
  POSTS_REPEATED("messages sent again with their Idempotency-Key"),
  TASKS("tasks given"),
  TURNS_DONE("turns that ended with done"),
  TURNS_FAILED("turns that ended with error"),
  TURNS_UNBROKEN("turns that no kill touched"),
  REATTACHMENTS("re-attachments with Last-Event-ID"),
  GATES_ASKED("gates asked"),
  GATES_ANSWERED("gates answered"),
  GATES_ANSWERED_LATER("  of them after a restart"),
  ANSWERS_REPEATED("answers sent again after a broken connection"),
  ANSWERS_KNOWN("  of them known already (409)"),
  TOOL_REQUESTS_UNSAFE("requests to unsafe tools"),
  TOOL_REQUESTS_IDEMPOTENT("requests to idempotent tools"),
  TOOL_REQUESTS_READ_ONLY("requests to read-only tools"),
  TOOL_RERUNS("  of them runs of a call that had run before"),
  TOOL_ANSWERS_BROKEN_OFF("tool answers that nobody took"),
  CALLS_COMPLETED("calls that completed"),
  CALLS_REJECTED("calls that were rejected"),
  CALLS_INTERRUPTED("calls with an unknown outcome (interrupted)"),
  SUB_AGENTS("sub-agents that answered"),
  AUDIT_ROWS("rows of the audit log"),
  LOG_COMPLAINTS("lines above info in the engines' logs");

  private final String label;

  Count(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
