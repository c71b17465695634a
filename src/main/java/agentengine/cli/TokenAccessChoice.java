package agentengine.cli;

import agentengine.config.BootOptions;
import agentengine.config.Variable;
import agentengine.db.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * Chooses how to reach the tokens: through the engine that runs, or directly in the store, so that
 * there can be a first token before the first start, or where nobody hands out local sessions.
 */
final class TokenAccessChoice {
  private static final List<Variable> STORE = List.of(Variable.DATA_DIR, Variable.DATABASE_URL);

  /** Whether a store that is not there yet is to be made. */
  enum Need {
    STORE_MAY_BE_NEW,
    STORE_MUST_EXIST
  }

  private final Shell shell;
  private final Patience patience;

  TokenAccessChoice(Shell shell, Patience patience) {
    this.shell = shell;
    this.patience = patience;
  }

  static void addOptionsTo(CommandSpec spec) {
    Target.addOptionsTo(spec);
    VariableOptions.addTo(spec, STORE);
    spec.usageMessage()
        .footer(
            "",
            "Asks the engine that runs at the URL; if there is none, opens its store directly.");
  }

  TokenAccess open(ParseResult parsed, Need need) throws IOException {
    Target target = Target.read(parsed, shell);
    ApiClient api = new ApiClient(target, patience);
    if (!api.isEngineThere()) {
      if (target.isChosen()) {
        // Not in another store than the one that was meant.
        throw new CommandFailed(
            "no engine answers at "
                + target.url()
                + "; without --url the store is opened directly");
      }
      return store(parsed, need, "no engine answers at " + target.url());
    }
    try {
      api.signIn();
    } catch (ApiRefusal e) {
      if (target.isChosen()) {
        throw e;
      }
      return store(parsed, need, e.reason());
    }
    tell("through the engine at " + target.url());
    return new TokensOfEngine(api);
  }

  private TokenAccess store(ParseResult parsed, Need need, String why) {
    BootOptions options =
        BootOptions.read(VariableOptions.read(parsed, shell.environment(), STORE));
    String place =
        options.database() == null
            ? options.dataDirectory().toAbsolutePath().normalize().toString()
            : "PostgreSQL";
    boolean isThere = options.database() != null || Files.isDirectory(options.dataDirectory());
    if (need == Need.STORE_MUST_EXIST && !isThere) {
      throw new CommandFailed(why + ", and there is no store in " + place);
    }
    try {
      TokensOfStore tokens = TokensOfStore.open(options, shell.clock());
      tell("directly in the store in " + place + " (" + why + ")");
      return tokens;
    } catch (StoreUnavailable e) {
      throw new CommandFailed(why + "; and " + e.reason());
    }
  }

  private void tell(String how) {
    shell.err().println(Printable.oneLine(how));
  }
}
