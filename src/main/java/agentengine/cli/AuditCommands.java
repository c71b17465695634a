package agentengine.cli;

import java.util.List;

/** {@code engine audit} and what follows it. */
public final class AuditCommands {
  private AuditCommands() {}

  public static Command group(Shell shell) {
    return new Command.Group("audit", "Check the audit log.", List.of(new AuditVerify(shell)));
  }
}
