package agentengine.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jdbi.v3.core.JdbiException;

/** Begins, ends and nests transactions of the writer, several of them a turn: prepared once. */
final class TransactionControl {
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement rollBack;
  private final PreparedStatement save;
  private final PreparedStatement rollBackToSave;
  private final PreparedStatement release;

  TransactionControl(Connection connection) {
    try {
      begin = connection.prepareStatement("BEGIN IMMEDIATE");
      commit = connection.prepareStatement("COMMIT");
      rollBack = connection.prepareStatement("ROLLBACK");
      save = connection.prepareStatement("SAVEPOINT job");
      rollBackToSave = connection.prepareStatement("ROLLBACK TO job");
      release = connection.prepareStatement("RELEASE job");
    } catch (SQLException e) {
      throw new StoreUnavailable("the database cannot be written", e);
    }
  }

  void begin() {
    run(begin);
  }

  void commit() {
    run(commit);
  }

  void rollBack() {
    run(rollBack);
  }

  void save() {
    run(save);
  }

  void rollBackToSave() {
    run(rollBackToSave);
  }

  void release() {
    run(release);
  }

  private static void run(PreparedStatement statement) {
    try {
      statement.execute();
    } catch (SQLException e) {
      throw new TransactionFailed(e);
    }
  }

  /** The database refused to begin or end a transaction. */
  static final class TransactionFailed extends JdbiException {
    TransactionFailed(SQLException cause) {
      super(cause);
    }
  }
}
