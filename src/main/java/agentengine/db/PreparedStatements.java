package agentengine.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jdbi.v3.core.statement.DefaultStatementBuilder;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Keeps the prepared statements of one SQLite connection for their next use. Preparing one costs
 * more than running it, and this driver, unlike PostgreSQL's, does not keep them itself.
 */
final class PreparedStatements extends DefaultStatementBuilder {
  private static final int MAX_KEPT = 200;

  private final Map<String, PreparedStatement> idle = new HashMap<>();
  private final IdentityHashMap<Statement, String> busy = new IdentityHashMap<>();

  @Override
  public PreparedStatement create(Connection connection, String sql, StatementContext context)
      throws SQLException {
    return take(connection, sql);
  }

  /** A statement to be given back with {@link #close}. */
  PreparedStatement take(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = idle.remove(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
    }
    busy.put(statement, sql);
    return statement;
  }

  @Override
  public void close(Connection connection, String sql, Statement statement) throws SQLException {
    String prepared = busy.remove(statement);
    if (prepared != null
        && statement instanceof PreparedStatement reusable
        && idle.size() < MAX_KEPT
        && !idle.containsKey(prepared)) {
      reusable.clearParameters();
      idle.put(prepared, reusable);
    } else {
      super.close(connection, sql, statement);
    }
  }

  @Override
  public void close(Connection connection) {
    for (PreparedStatement statement : idle.values()) {
      try {
        statement.close();
      } catch (SQLException _) {
        // It goes with the connection.
      }
    }
    idle.clear();
  }
}
