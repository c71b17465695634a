package agentengine.cli;

import agentengine.auth.NewToken;
import agentengine.auth.Scope;
import agentengine.time.Durations;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine token create}. */
final class TokenCreate implements Command.Action {
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");
  private static final String NAME = "--name";
  private static final String SCOPES = "--scopes";
  private static final String EXPIRES = "--expires";

  private final Shell shell;
  private final TokenAccessChoice choice;

  TokenCreate(Shell shell, TokenAccessChoice choice) {
    this.shell = shell;
    this.choice = choice;
  }

  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("create");
    spec.usageMessage().description("Make an API token; it is printed now and never again.");
    spec.addOption(option(NAME, "NAME", true, "what the token is for"));
    spec.addOption(
        option(
            SCOPES,
            "SCOPES",
            true,
            "what it allows: some of " + String.join(", ", Scope.wireNames())));
    spec.addOption(option(EXPIRES, "DURATION", false, "when it ends, like 12h or 30d (never)"));
    TokenAccessChoice.addOptionsTo(spec);
    return spec;
  }

  private static OptionSpec option(
      String name, String label, boolean required, String description) {
    return OptionSpec.builder(name)
        .type(String.class)
        .paramLabel(label)
        .required(required)
        .description(description)
        .build();
  }

  @Override
  public int run(ParseResult parsed) throws IOException {
    NewToken wish =
        new NewToken(
            parsed.matchedOptionValue(NAME, ""),
            scopes(parsed.matchedOptionValue(SCOPES, "")),
            expiry(parsed.matchedOptionValue(EXPIRES, "")));
    try (TokenAccess tokens = choice.open(parsed, TokenAccessChoice.Need.STORE_MAY_BE_NEW)) {
      TokenInfo.Created created = tokens.create(wish);
      shell.out().println(created.text().reveal());
      shell
          .err()
          .println(
              "made token "
                  + created.info().id()
                  + " with "
                  + String.join(", ", created.info().scopes())
                  + "; its text is shown only once");
    }
    return 0;
  }

  private static Set<Scope> scopes(String names) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String name : SEPARATOR.splitAsStream(names).filter(word -> !word.isEmpty()).toList()) {
      Scope scope = Scope.find(name);
      if (scope == null) {
        throw new CommandFailed(
            "'" + name + "' is not a scope; known are " + String.join(", ", Scope.wireNames()));
      }
      scopes.add(scope);
    }
    return scopes;
  }

  private @Nullable Instant expiry(String duration) {
    if (duration.isBlank()) {
      return null;
    }
    try {
      return shell.clock().instant().plus(Durations.parse(duration.strip()));
    } catch (IllegalArgumentException e) {
      throw new CommandFailed("--expires: " + e.getMessage());
    }
  }
}
