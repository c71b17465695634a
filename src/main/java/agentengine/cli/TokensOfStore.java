package agentengine.cli;

import agentengine.audit.AdminLog;
import agentengine.auth.ApiTokens;
import agentengine.auth.Caller;
import agentengine.auth.CreatedToken;
import agentengine.auth.NewToken;
import agentengine.auth.Scope;
import agentengine.config.BootOptions;
import agentengine.db.Database;
import agentengine.db.PostgresDatabase;
import agentengine.db.SqliteDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

/** The tokens in a store that this process opens itself. */
final class TokensOfStore implements TokenAccess {
  private static final Caller OPERATOR = new Caller("engine:command-line", Set.of(Scope.ADMIN));

  private final Database database;
  private final ApiTokens tokens;

  private TokensOfStore(Database database, InstantSource clock) {
    this.database = database;
    this.tokens = new ApiTokens(database, new AdminLog(database, clock), clock);
  }

  /** Opens, and if need be makes, the store of these options. */
  static TokensOfStore open(BootOptions options, InstantSource clock) {
    // Counts of a process that ends at once are of no use to anybody.
    MeterRegistry unread = new CompositeMeterRegistry();
    BootOptions.DatabaseUrl url = options.database();
    Database database =
        url == null
            ? SqliteDatabase.open(options.dataDirectory(), unread)
            : PostgresDatabase.open(url.uri(), unread);
    return new TokensOfStore(database, clock);
  }

  @Override
  public TokenInfo.Created create(NewToken wish) {
    CreatedToken created = tokens.create(OPERATOR, wish);
    return new TokenInfo.Created(TokenInfo.of(created.token()), created.text());
  }

  @Override
  public List<TokenInfo> list() {
    return tokens.list().stream().map(TokenInfo::of).toList();
  }

  @Override
  public void revoke(String id) {
    tokens.revoke(OPERATOR, id);
  }

  @Override
  public void close() {
    tokens.close();
    database.close();
  }
}
