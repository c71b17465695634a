package agentengine.cli;

import agentengine.audit.AuditVerification;
import agentengine.audit.AuditVerification.Result;
import agentengine.config.BootOptions;
import agentengine.config.MasterKeySource;
import agentengine.config.Variable;
import agentengine.db.StoreSnapshot;
import agentengine.secret.MasterKey;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine audit verify}. */
final class AuditVerify implements Command.Action {
  private static final int DAMAGED = 1;
  private static final List<Variable> VARIABLES =
      List.of(Variable.DATA_DIR, Variable.DATABASE_URL, Variable.MASTER_KEY);

  private final Shell shell;

  AuditVerify(Shell shell) {
    this.shell = shell;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("verify");
    spec.usageMessage()
        .description("Prove that no tool call in the audit log was changed, removed or added.")
        .footer(
            "",
            "Reads the store itself, whether an engine runs on it or not, and changes nothing.",
            "Needs the master key that the engine runs with. Ends with 0 when all is well, else 1.");
    VariableOptions.addTo(spec, VARIABLES);
    return spec;
  }

  @Override
  public int run(ParseResult parsed) {
    BootOptions options =
        BootOptions.read(VariableOptions.read(parsed, shell.environment(), VARIABLES));
    return switch (verify(options)) {
      case Result.Intact(long calls, String lastHash) -> {
        String last = lastHash.isEmpty() ? "" : "; last hash " + lastHash;
        tell(calls + (calls == 1 ? " call" : " calls") + ", nothing changed or removed" + last);
        yield 0;
      }
      case Result.Broken(String problem) -> {
        tell(problem);
        yield DAMAGED;
      }
    };
  }

  private static Result verify(BootOptions options) {
    BootOptions.DatabaseUrl url = options.database();
    // The key only once the store is there: without a store a missing key is not the problem.
    if (url == null) {
      return StoreSnapshot.ofSqlite(
          options.dataDirectory(), handle -> AuditVerification.run(handle, key(options)));
    }
    return StoreSnapshot.ofPostgres(
        url.uri(), handle -> AuditVerification.run(handle, key(options)));
  }

  private static MasterKey key(BootOptions options) {
    return MasterKeySource.ofStore(options);
  }

  private void tell(String finding) {
    shell.out().println(Printable.oneLine("audit log: " + finding));
  }
}
