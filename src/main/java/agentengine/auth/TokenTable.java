package agentengine.auth;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** The SQL of API tokens. */
final class TokenTable {
  private TokenTable() {}

  /** What decides whether a token lets its bearer in. */
  record Credential(String id, Set<Scope> scopes, @Nullable Long expiresAt, boolean revoked) {}

  /** Whether the token was stored; it was not when one of the same text is there already. */
  static boolean insert(Handle handle, ApiToken token, String hash) {
    Instant expiresAt = token.expiresAt();
    return handle
            .createUpdate(
                """
                INSERT INTO api_token (id, name, hash, scopes, created_at, expires_at)
                VALUES (:id, :name, :hash, :scopes, :createdAt, :expiresAt)
                ON CONFLICT (hash) DO NOTHING
                """)
            .bind("id", token.id())
            .bind("name", token.name())
            .bind("hash", hash)
            .bind("scopes", String.join(" ", Scope.wireNames(token.scopes())))
            .bind("createdAt", token.createdAt().toEpochMilli())
            .bind("expiresAt", expiresAt == null ? null : (Long) expiresAt.toEpochMilli())
            .execute()
        == 1;
  }

  static List<ApiToken> list(Handle handle) {
    return handle
        .createQuery(
            """
            SELECT id, name, scopes, created_at, expires_at, last_used_at
            FROM api_token
            WHERE revoked_at IS NULL
            ORDER BY created_at DESC, id DESC
            """)
        .map(TokenTable::token)
        .list();
  }

  /** Whether there was a token of that id to revoke. */
  static boolean revoke(Handle handle, String id, long now) {
    return handle
            .createUpdate(
                """
                UPDATE api_token SET revoked_at = :now
                WHERE id = :id AND revoked_at IS NULL
                """)
            .bind("id", id)
            .bind("now", now)
            .execute()
        == 1;
  }

  static String name(Handle handle, String id) {
    return handle
        .createQuery("SELECT name FROM api_token WHERE id = :id")
        .bind("id", id)
        .mapTo(String.class)
        .one();
  }

  static Optional<Credential> find(Handle handle, String hash) {
    return handle
        .createQuery(
            """
            SELECT id, scopes, expires_at, revoked_at
            FROM api_token
            WHERE hash = :hash
            """)
        .bind("hash", hash)
        .map(TokenTable::credential)
        .findOne();
  }

  private static ApiToken token(ResultSet row, StatementContext context) throws SQLException {
    return new ApiToken(
        row.getString("id"),
        row.getString("name"),
        scopes(row),
        Instant.ofEpochMilli(row.getLong("created_at")),
        instant(row, "expires_at"),
        instant(row, "last_used_at"));
  }

  private static Credential credential(ResultSet row, StatementContext context)
      throws SQLException {
    return new Credential(
        row.getString("id"),
        scopes(row),
        millis(row, "expires_at"),
        millis(row, "revoked_at") != null);
  }

  private static Set<Scope> scopes(ResultSet row) throws SQLException {
    return Scope.known(List.of(row.getString("scopes").split(" ")));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    Long millis = millis(row, column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  private static @Nullable Long millis(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }
}
