package agentengine.cli;

import java.util.List;

/** {@code engine token} and what follows it. */
public final class TokenCommands {
  private TokenCommands() {}

  public static Command group(Shell shell) {
    TokenAccessChoice choice = new TokenAccessChoice(shell, Patience.USUAL);
    return new Command.Group(
        "token",
        "Make, list and revoke API tokens.",
        List.of(
            new TokenCreate(shell, choice),
            new TokenList(shell, choice),
            new TokenRevoke(shell, choice),
            new TokenNew(shell)));
  }
}
