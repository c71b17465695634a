package agentengine.turn;

import agentengine.session.Origin;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a turn has taken so far: its steps, its tokens, and their cost.
 *
 * @param costNanos in billionths of a USD; null as soon as a part of it is not known
 */
record Spent(int steps, int tokens, int inputTokens, int outputTokens, @Nullable Long costNanos) {

  static final Spent NOTHING = new Spent(0, 0, 0, 0, 0L);

  /** With one more answer of a model. */
  Spent plus(Origin answer) {
    return new Spent(
        steps + 1,
        tokens + answer.usage().total(),
        inputTokens + answer.usage().inputTokens(),
        outputTokens + answer.usage().outputTokens(),
        sum(costNanos, answer.costNanos()));
  }

  /** With what sub-agents took; their steps are their own. */
  Spent withBelow(Spent below) {
    return new Spent(
        steps,
        tokens + below.tokens,
        inputTokens + below.inputTokens,
        outputTokens + below.outputTokens,
        sum(costNanos, below.costNanos));
  }

  private static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
    return one == null || other == null ? null : Long.valueOf(one + other);
  }

  /** The columns of a turn; one that used nothing yet has cost nothing. */
  static Spent of(ResultSet row) throws SQLException {
    int tokens = row.getInt("tokens");
    long cost = row.getLong("cost");
    boolean unknown = row.wasNull() && tokens > 0;
    return new Spent(
        row.getInt("steps"),
        tokens,
        row.getInt("input_tokens"),
        row.getInt("output_tokens"),
        unknown ? null : Long.valueOf(cost));
  }
}
