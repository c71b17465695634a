package agentengine.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What a person was shown of a call and said to it; all null when nobody was asked. */
record Gate(
    @Nullable String inputHash,
    @Nullable String decision,
    @Nullable String reason,
    @Nullable String decidedBy) {

  static Gate of(ResultSet row) throws SQLException {
    return new Gate(
        row.getString("input_hash"),
        row.getString("decision"),
        row.getString("reason"),
        row.getString("decided_by"));
  }
}
