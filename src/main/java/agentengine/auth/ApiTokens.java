package agentengine.auth;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.db.Ids;
import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.secret.Secret;
import agentengine.secret.Sha256;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** The long-lived tokens that an administrator makes and revokes. */
public final class ApiTokens implements AutoCloseable {
  private static final Duration LAST_USE_PERIOD = Duration.ofSeconds(5);
  private static final int MAX_ID_LENGTH = 100;

  private final Database database;
  private final AdminLog log;
  private final InstantSource clock;
  private final Ids ids;
  private final LastUse lastUse;

  public ApiTokens(Database database, AdminLog log, InstantSource clock) {
    this(database, log, clock, LAST_USE_PERIOD);
  }

  ApiTokens(Database database, AdminLog log, InstantSource clock, Duration lastUsePeriod) {
    this.database = database;
    this.log = log;
    this.clock = clock;
    this.ids = new Ids(clock);
    this.lastUse = new LastUse(database, lastUsePeriod);
  }

  /** A fresh text of the form of a token, for somebody who wants to seed one. */
  public static Secret newText() {
    return new Secret(TokenText.generate());
  }

  /** Makes a token; its text is in the answer and nowhere else. */
  public CreatedToken create(Caller by, NewToken wish) {
    Instant now = now();
    wish.check(now);
    Secret text = newText();
    ApiToken token = token(wish, now);
    database.write(
        handle -> {
          TokenTable.insert(handle, token, Sha256.hex(text.reveal()));
          log.record(handle, by.id(), "token.created", token.id(), details(token));
          return true;
        });
    return new CreatedToken(token, text);
  }

  /**
   * Makes an admin token of a text given from outside, once: what was made by an earlier start is
   * left as it is, also when it has been revoked since.
   *
   * @throws IllegalArgumentException when the text has not the form of a token
   */
  public void seedBootstrap(String text) {
    String problem = TokenText.problem(text);
    if (problem != null) {
      throw new IllegalArgumentException(
          "not an API token: " + problem + "; a token is " + TokenText.FORM);
    }
    ApiToken token = token(new NewToken("bootstrap", Set.of(Scope.ADMIN), null), now());
    database.write(
        handle -> {
          boolean made = TokenTable.insert(handle, token, Sha256.hex(text));
          if (made) {
            String actor = Caller.ENGINE_START.id();
            log.record(handle, actor, "token.seeded", token.id(), details(token));
          }
          return made;
        });
  }

  /** All tokens that are not revoked, newest first. */
  public List<ApiToken> list() {
    lastUse.flush();
    return database.read(TokenTable::list);
  }

  /** Ends a token: no request that begins after this returns is let in with it, on any node. */
  public void revoke(Caller by, String id) {
    if (TextRules.problem(id, MAX_ID_LENGTH) != null) {
      throw EngineException.notFound("token", "");
    }
    database.write(
        handle -> {
          if (!TokenTable.revoke(handle, id, clock.millis())) {
            throw EngineException.notFound("token", id);
          }
          ObjectNode details = Json.object().put("name", TokenTable.name(handle, id));
          log.record(handle, by.id(), "token.revoked", id, details);
          return true;
        });
  }

  /**
   * The caller that a token stands for. Each call asks the database, so that a revocation on any
   * node counts at once; a text that cannot be a token never gets that far.
   */
  Caller authenticate(String text) {
    if (TokenText.problem(text) != null) {
      throw Refusal.INVALID.exception();
    }
    String hash = Sha256.hex(text);
    TokenTable.Credential credential =
        database
            .read(handle -> TokenTable.find(handle, hash))
            .orElseThrow(Refusal.INVALID::exception);
    long now = clock.millis();
    if (credential.revoked()) {
      throw Refusal.REVOKED.exception();
    }
    if (credential.expiresAt() != null && now >= credential.expiresAt()) {
      throw Refusal.EXPIRED.exception();
    }
    lastUse.note(credential.id(), now);
    return Caller.ofToken(credential.id(), credential.scopes());
  }

  /** Writes down what is not yet in the database; call it before the database closes. */
  @Override
  public void close() {
    lastUse.close();
  }

  private ApiToken token(NewToken wish, Instant now) {
    return new ApiToken(ids.next(), wish.name(), wish.scopes(), now, wish.expiresAt(), null);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static ObjectNode details(ApiToken token) {
    ObjectNode details = Json.object().put("name", token.name());
    details.set("scopes", Json.array(Scope.wireNames(token.scopes())));
    if (token.expiresAt() != null) {
      details.put("expires_at", token.expiresAt().toString());
    }
    return details;
  }
}
