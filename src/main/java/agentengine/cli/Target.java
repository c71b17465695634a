package agentengine.cli;

import agentengine.config.Variable;
import agentengine.secret.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The engine that a command talks to, and the token it shows there.
 *
 * @param url without the path of the API and without a slash at its end
 * @param isChosen whether the user named the address, so that no other will do
 * @param token null to ask for a local session
 */
record Target(String url, boolean isChosen, @Nullable Secret token) {
  private static final String URL = "--url";
  private static final String TOKEN = "--token";
  private static final String API = "/api/v1";

  static void addOptionsTo(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder(URL)
            .type(String.class)
            .paramLabel("URL")
            .description("address of the engine (http://ENGINE_HOST:ENGINE_PORT)")
            .build());
    spec.addOption(
        OptionSpec.builder(TOKEN)
            .type(String.class)
            .paramLabel("TOKEN")
            .description("API token or JWT (a local session); better in ENGINE_TOKEN")
            .build());
  }

  static Target read(ParseResult parsed, Shell shell) {
    String url = parsed.matchedOptionValue(URL, "");
    String token = parsed.matchedOptionValue(TOKEN, "");
    if (token.isBlank()) {
      token = shell.variable("ENGINE_TOKEN");
    }
    return new Target(
        url.isBlank() ? usual(shell) : checked(url.strip()),
        !url.isBlank(),
        token == null ? null : checkedToken(token.strip()));
  }

  /** Refuses here what no header can carry: further on the token would be in the complaint. */
  private static Secret checkedToken(String token) {
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new CommandFailed("the token has characters that no token has");
    }
    return new Secret(token);
  }

  /** Where an engine with the same environment listens. */
  private static String usual(Shell shell) {
    String host = value(shell, Variable.HOST);
    String reachable =
        switch (host) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::" -> "::1";
          default -> host;
        };
    String inUrl = reachable.contains(":") ? "[" + reachable + "]" : reachable;
    return checked("http://" + inUrl + ":" + value(shell, Variable.PORT));
  }

  private static String value(Shell shell, Variable variable) {
    String value = shell.variable(variable.environmentName());
    return value == null ? variable.fallback() : value;
  }

  private static String checked(String url) {
    try {
      URI uri = new URI(url);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
        String base = url.replaceAll("/+$", "");
        return base.endsWith(API) ? base.substring(0, base.length() - API.length()) : base;
      }
    } catch (URISyntaxException _) {
      // Told below.
    }
    throw new CommandFailed(
        "'" + url + "' is not the address of an engine; for example http://127.0.0.1:8080");
  }

  /** Where a path of the API is. */
  URI at(String path) {
    return URI.create(url + API + path);
  }
}
