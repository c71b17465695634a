package agentengine.cli;

import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine token revoke}. */
final class TokenRevoke implements Command.Action {
  private final Shell shell;
  private final TokenAccessChoice choice;

  TokenRevoke(Shell shell, TokenAccessChoice choice) {
    this.shell = shell;
    this.choice = choice;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("revoke");
    spec.usageMessage().description("End an API token; it lets nobody in from now on.");
    spec.addPositional(
        PositionalParamSpec.builder()
            .index("0")
            .type(String.class)
            .paramLabel("ID")
            .required(true)
            .description("id of the token, as list shows it")
            .build());
    TokenAccessChoice.addOptionsTo(spec);
    return spec;
  }

  @Override
  public int run(ParseResult parsed) throws IOException {
    String id = parsed.matchedPositionalValue(0, "");
    if (id.isBlank()) {
      throw new CommandFailed("the id of a token is needed; engine token list shows them");
    }
    try (TokenAccess tokens = choice.open(parsed, TokenAccessChoice.Need.STORE_MUST_EXIST)) {
      tokens.revoke(id);
    }
    shell.err().println("revoked token " + Printable.oneLine(id));
    return 0;
  }
}
