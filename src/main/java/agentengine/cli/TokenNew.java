package agentengine.cli;

import agentengine.auth.ApiTokens;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine token new}. */
final class TokenNew implements Command.Action {
  private final Shell shell;

  TokenNew(Shell shell) {
    this.shell = shell;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("new");
    spec.usageMessage()
        .description(
            "Print a fresh token text without storing it, for ENGINE_BOOTSTRAP_TOKEN: an engine that"
                + " starts with it makes it an admin token.");
    return spec;
  }

  @Override
  public int run(ParseResult parsed) {
    shell.out().println(ApiTokens.newText().reveal());
    return 0;
  }
}
