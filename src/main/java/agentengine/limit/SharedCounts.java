package agentengine.limit;

import agentengine.db.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Counts in a table of PostgreSQL, one statement a limit, so that they hold across nodes. */
final class SharedCounts implements Counts {
  private static final Duration FORGET_EVERY = Duration.ofMinutes(1);

  /** A node whose clock is behind may still be counting in what is over here. */
  private static final Duration CLOCKS_DIFFER_BY = Duration.ofMinutes(1);

  /** Gives no row when the limit is used up; the same rules as in {@link Window}. */
  private static final String COUNT =
      """
      INSERT INTO rate_limit_count AS c (rule, key, tier, started_at, ends_at, used)
      VALUES (:rule, :key, :tier, :now, :now + :length, 1)
      ON CONFLICT (rule, key) DO UPDATE SET
        tier = excluded.tier,
        started_at = CASE WHEN OVER THEN excluded.started_at ELSE c.started_at END,
        ends_at = CASE WHEN OVER THEN excluded.ends_at ELSE c.started_at + :length END,
        used = CASE WHEN OVER THEN 1 ELSE c.used + 1 END
      WHERE OVER OR c.used < :requests
      RETURNING tier, started_at, ends_at, used
      """
          .replace("OVER", "(:now >= c.ends_at OR :now >= c.started_at + :length)");

  /** Takes back what was counted before one of the limits refused. */
  private static final class Refused extends RuntimeException {
    private final transient List<Usage> usages;

    Refused(List<Usage> usages) {
      super("a limit is used up", null, false, false);
      this.usages = usages;
    }
  }

  private final Database db;
  private volatile long forgotAt = Long.MIN_VALUE;

  SharedCounts(Database db) {
    this.db = db;
  }

  @Override
  public Verdict count(List<Claim> claims, long now) {
    // In one order everywhere, so that two requests never wait for each other.
    List<Claim> ordered =
        claims.size() == 1
            ? claims
            : claims.stream().sorted(Comparator.comparing(Claim::rule)).toList();
    try {
      return verdict(true, db.write(handle -> countAll(handle, ordered, now)), now);
    } catch (Refused refused) {
      noteTiers(ordered);
      return verdict(false, refused.usages, now);
    }
  }

  private static Verdict verdict(boolean admitted, List<Usage> usages, long now) {
    return Verdict.of(admitted, Collections.min(usages, Usage.TIGHTEST_FIRST), now);
  }

  private static List<Usage> countAll(Handle handle, List<Claim> claims, long now) {
    List<Usage> usages = new ArrayList<>();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Optional<Window> counted = count(handle, claim, now);
      if (counted.isEmpty()) {
        List<Usage> untouched = usages.stream().map(SharedCounts::before).toList();
        throw new Refused(withRest(handle, untouched, claims, now));
      }
      usages.add(Usage.of(claim, counted.get(), now));
    }
    return usages;
  }

  /** What was left before this request was counted. */
  private static Usage before(Usage usage) {
    return new Usage(
        usage.rule(),
        usage.key(),
        usage.tier(),
        usage.used() - 1,
        usage.limit(),
        usage.resetsAtMillis());
  }

  /** Also those that come after the one that refused: perhaps they refuse as well, and longer. */
  private static List<Usage> withRest(
      Handle handle, List<Usage> first, List<Claim> claims, long now) {
    List<Usage> all = new ArrayList<>(first);
    for (Claim claim : claims.subList(first.size(), claims.size())) {
      Window window = find(handle, claim.rule(), claim.key()).orElse(null);
      all.add(Usage.of(claim, window, now));
    }
    return all;
  }

  private static Optional<Window> count(Handle handle, Claim claim, long now) {
    return handle
        .createQuery(COUNT)
        .bind("rule", claim.rule())
        .bind("key", claim.key())
        .bind("tier", claim.tier())
        .bind("now", now)
        .bind("length", claim.limit().windowMillis())
        .bind("requests", claim.limit().requests())
        .map((row, _) -> window(row))
        .findOne();
  }

  /** Remembers in which tier a refused key was seen; it seldom changes. */
  private void noteTiers(List<Claim> claims) {
    List<Claim> changed =
        db.read(
            handle ->
                claims.stream()
                    .filter(
                        claim ->
                            find(handle, claim.rule(), claim.key())
                                .filter(window -> !window.tier().equals(claim.tier()))
                                .isPresent())
                    .toList());
    for (Claim claim : changed) {
      db.write(
          handle ->
              handle
                  .createUpdate(
                      "UPDATE rate_limit_count SET tier = :tier WHERE rule = :rule AND key = :key")
                  .bind("tier", claim.tier())
                  .bind("rule", claim.rule())
                  .bind("key", claim.key())
                  .execute());
    }
  }

  @Override
  public @Nullable Window find(String rule, String key) {
    return db.read(handle -> find(handle, rule, key)).orElse(null);
  }

  private static Optional<Window> find(Handle handle, String rule, String key) {
    return handle
        .createQuery(
            """
            SELECT tier, started_at, ends_at, used FROM rate_limit_count
            WHERE rule = :rule AND key = :key
            """)
        .bind("rule", rule)
        .bind("key", key)
        .map((row, _) -> window(row))
        .findOne();
  }

  private static Window window(ResultSet row) throws SQLException {
    return new Window(
        row.getString("tier"),
        row.getLong("started_at"),
        row.getLong("ends_at"),
        row.getInt("used"));
  }

  @Override
  public void forget(long now) {
    if (now - FORGET_EVERY.toMillis() < forgotAt) {
      return;
    }
    forgotAt = now;
    // Rows that somebody counts in are left out, so that nobody waits for each other here either.
    db.write(
        handle ->
            handle
                .createUpdate(
                    """
                    DELETE FROM rate_limit_count WHERE (rule, key) IN (
                      SELECT rule, key FROM rate_limit_count WHERE ends_at < :before
                      FOR UPDATE SKIP LOCKED)
                    """)
                .bind("before", now - CLOCKS_DIFFER_BY.toMillis())
                .execute());
  }
}
