package agentengine.db;

import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;

/** Jdbi whose failures do not repeat the values of their statement: those are nobody's to log. */
final class QuietJdbi {
  private QuietJdbi() {}

  static Jdbi create(DataSource source) {
    Jdbi jdbi = Jdbi.create(source);
    jdbi.configure(
        StatementExceptions.class, config -> config.setMessageRendering(MessageRendering.NONE));
    return jdbi;
  }
}
