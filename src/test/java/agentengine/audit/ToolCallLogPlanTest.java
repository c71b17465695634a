package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.ToolCallLog.Conditions;
import agentengine.audit.ToolCallLog.Filter;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestDatabases.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How the databases mean to find a page of the audit log: never by reading the whole table. */
class ToolCallLogPlanTest {
  @Test
  void sqliteFindsEveryCombinationOfFiltersInOneIndexAlone() {
    try (TestDatabases.Fresh fresh = TestDatabases.fresh(Kind.SQLITE)) {
      Database database = fresh.open();
      for (Filter filter : everyCombination()) {
        for (String sql : queries(filter)) {
          String plan = plan(database, "EXPLAIN QUERY PLAN " + sql, filter, "detail");
          assertThat(plan).as("%s %s", filter, sql).contains(expectedIndex(filter));
          // A sort of all that fits would come before the page is cut out of it.
          assertThat(plan.split("TEMP B-TREE", -1).length - 1).isLessThanOrEqualTo(1);
          assertThat(plan.replace("SCAN tool_call USING COVERING INDEX", ""))
              .doesNotContain("SCAN");
        }
      }
    }
  }

  private static String expectedIndex(Filter filter) {
    if (filter.sessionId() != null) {
      // A session has few calls; they may be looked up.
      return "INDEX tool_call_by_session (session_id=?";
    }
    if (filter.userId() != null) {
      return "COVERING INDEX tool_call_by_user (user_id=?";
    }
    if (filter.tool() != null) {
      return "COVERING INDEX tool_call_by_tool (tool=?";
    }
    if (filter.agent() != null) {
      return "COVERING INDEX tool_call_by_agent (agent=?";
    }
    return filter.status() != null
        ? "COVERING INDEX tool_call_by_status (status=?"
        : "COVERING INDEX tool_call_by_time";
  }

  /** How many there are without a filter is not counted. */
  private static List<String> queries(Filter filter) {
    return filter.equals(Filter.ALL)
        ? List.of(ToolCallLog.PAGE)
        : List.of(ToolCallLog.PAGE, ToolCallLog.COUNT);
  }

  @Test
  void postgresReadsNoWholeTable() {
    try (TestDatabases.Fresh fresh = TestDatabases.fresh(Kind.POSTGRES)) {
      Database database = fresh.open();
      fill(database);
      for (Filter filter : everyCombination()) {
        for (String sql : queries(filter)) {
          assertThat(plan(database, "EXPLAIN " + sql, filter, "QUERY PLAN"))
              .as("%s %s", filter, sql)
              .contains("Index")
              .doesNotContain("Seq Scan");
        }
      }
    }
  }

  /** Enough for PostgreSQL to know that its indexes are worth it. */
  private static void fill(Database database) {
    database.write(
        handle -> {
          // The vacuum would otherwise not be sure that the rows are there for everybody.
          handle.execute("SET LOCAL synchronous_commit = on");
          return handle.execute(
              """
              INSERT INTO tool_call (call_id, session_id, path, agent, tool, user_id, input,
                output, status, created_at, number, hash)
              SELECT 'c' || i, 's' || i / 10, 'p', 'a' || i % 3, 't' || i % 7, 'u' || i % 50,
                repeat('x', 500), repeat('y', 1000),
                CASE WHEN i % 20 = 0 THEN 'failed' ELSE 'completed' END, i, i, repeat('h', 64)
              FROM generate_series(1, 20000) AS i
              """);
        });
    database.read(handle -> handle.execute("VACUUM ANALYZE tool_call"));
  }

  private static List<Filter> everyCombination() {
    List<Filter> filters = new ArrayList<>();
    for (int bits = 0; bits < 128; bits++) {
      filters.add(
          new Filter(
              chosen(bits, 0, "s1"),
              chosen(bits, 1, "a1"),
              chosen(bits, 2, "t1"),
              chosen(bits, 3, ToolLedger.Status.COMPLETED),
              chosen(bits, 4, "u1"),
              chosen(bits, 5, TestLedger.NOON),
              chosen(bits, 6, TestLedger.NOON)));
    }
    return filters;
  }

  private static <T> @Nullable T chosen(int bits, int bit, T value) {
    return (bits >> bit & 1) == 1 ? value : null;
  }

  private static String plan(Database database, String sql, Filter filter, String column) {
    return database.<String>read(handle -> String.join("\n", plan(handle, sql, filter, column)));
  }

  private static List<String> plan(Handle handle, String sql, Filter filter, String column) {
    Conditions conditions = new Conditions(filter);
    var query =
        handle.createQuery(sql).define("conditions", conditions.sql()).bindMap(conditions.values);
    if (sql.contains(":limit")) {
      query.bind("limit", 50).bind("offset", 100);
    }
    return query.map((row, _) -> row.getString(column)).list();
  }
}
