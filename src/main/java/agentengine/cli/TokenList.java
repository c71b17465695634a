package agentengine.cli;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine token list}. */
final class TokenList implements Command.Action {
  private final Shell shell;
  private final TokenAccessChoice choice;

  TokenList(Shell shell, TokenAccessChoice choice) {
    this.shell = shell;
    this.choice = choice;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("list");
    spec.usageMessage().description("List the API tokens that are not revoked, newest first.");
    TokenAccessChoice.addOptionsTo(spec);
    return spec;
  }

  @Override
  public int run(ParseResult parsed) throws IOException {
    List<TokenInfo> all;
    try (TokenAccess tokens = choice.open(parsed, TokenAccessChoice.Need.STORE_MUST_EXIST)) {
      all = tokens.list();
    }
    Table table = new Table().row("ID", "NAME", "SCOPES", "CREATED", "EXPIRES", "LAST USED");
    for (TokenInfo token : all) {
      table.row(
          token.id(),
          token.name(),
          String.join(",", token.scopes()),
          time(token.createdAt()),
          time(token.expiresAt()),
          time(token.lastUsedAt()));
    }
    table.lines().forEach(shell.out()::println);
    return 0;
  }

  private static String time(@Nullable Instant instant) {
    return instant == null ? "never" : instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
