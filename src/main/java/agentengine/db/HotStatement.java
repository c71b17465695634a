package agentengine.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A statement that every turn runs, on plain JDBC: what Jdbi does around one costs twice what
 * SQLite needs to run it. The values stand in the order of the question marks.
 */
public final class HotStatement {
  /** Reads a row into a value. */
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** The statement failed; its values are not told. */
  public static final class StatementFailed extends JdbiException {
    StatementFailed(SQLException cause) {
      super(cause);
    }
  }

  @FunctionalInterface
  private interface Run<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  /** Unlike a finally, keeps the failure of the statement when giving it back fails, too. */
  @FunctionalInterface
  private interface Closing extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  private final String sql;

  public HotStatement(String sql) {
    this.sql = sql;
  }

  /** Runs it; how many rows it changed. */
  public int update(Handle handle, @Nullable Object... values) {
    return run(handle, values, PreparedStatement::executeUpdate);
  }

  /** Runs it and reads its first row, if it has one. */
  public <T> Optional<T> first(Handle handle, RowReader<T> reader, @Nullable Object... values) {
    return run(
        handle,
        values,
        statement -> {
          try (ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
          }
        });
  }

  private <T> T run(Handle handle, @Nullable Object[] values, Run<T> run) {
    Connection connection = handle.getConnection();
    StatementBuilder builder = handle.getStatementBuilder();
    try {
      PreparedStatement statement =
          builder instanceof PreparedStatements kept
              ? kept.take(connection, sql)
              : connection.prepareStatement(sql);
      try (Closing _ = () -> builder.close(connection, sql, statement)) {
        bind(statement, values);
        return run.with(statement);
      }
    } catch (SQLException e) {
      throw new StatementFailed(e);
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object[] values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      switch (values[i]) {
        case String text -> statement.setString(i + 1, text);
        case Integer number -> statement.setInt(i + 1, number);
        case Long number -> statement.setLong(i + 1, number);
        case Boolean flag -> statement.setBoolean(i + 1, flag);
        case null -> statement.setNull(i + 1, Types.NULL);
        default ->
            throw new IllegalArgumentException("no value of a column: " + values[i].getClass());
      }
    }
  }
}
