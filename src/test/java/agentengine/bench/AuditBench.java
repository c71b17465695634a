package agentengine.bench;

import agentengine.audit.AuditChain;
import agentengine.audit.AuditVerification;
import agentengine.audit.ToolCallLog;
import agentengine.audit.ToolCallLog.Filter;
import agentengine.audit.ToolLedger;
import agentengine.audit.ToolLedger.Status;
import agentengine.db.Database;
import agentengine.db.Ids;
import agentengine.db.PostgresDatabase;
import agentengine.db.SqliteDatabase;
import agentengine.secret.MasterKey;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.LogManager;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What the audit log costs when it is long. Arguments: a directory, or the URL of a PostgreSQL
 * database, that holds the calls afterwards, and how many calls; those that are there are kept.
 */
final class AuditBench {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int BATCH = 500;
  private static final int TRIES = 5;

  private final Database database;
  private final MasterKey key;
  private final ToolLedger ledger;
  private final ToolCallLog log;
  private final Ids ids = new Ids(InstantSource.system());

  private AuditBench(Database database, MasterKey key) {
    this.database = database;
    this.key = key;
    this.ledger = new ToolLedger(new AuditChain(database, key));
    this.log = new ToolCallLog(database);
  }

  public static void main(String[] args) throws IOException {
    LogManager.getLogManager().reset();
    boolean postgres = args[0].startsWith("postgres");
    Path directory = Files.createDirectories(Path.of(postgres ? "." : args[0]));
    try (Database database =
        postgres
            ? PostgresDatabase.open(URI.create(args[0]), new SimpleMeterRegistry())
            : SqliteDatabase.open(directory, new SimpleMeterRegistry())) {
      AuditBench bench =
          new AuditBench(database, MasterKey.ofFile(directory.resolve("master.key")));
      bench.fill(Integer.parseInt(args[1]));
      bench.measurePages();
      bench.measureVerification();
    }
  }

  private void fill(int calls) {
    int present = Math.toIntExact(log.list(Filter.ALL, 1, 1).total());
    long start = System.nanoTime();
    for (int from = present; from < calls; from += BATCH) {
      int first = from;
      database.write(handle -> writeBatch(handle, first, Math.min(first + BATCH, calls)));
    }
    if (present < calls) {
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "%,d calls begun and ended in %.0f s: %,.0f a second%n",
          calls - present, seconds, (calls - present) / seconds);
    }
  }

  private int writeBatch(Handle handle, int first, int end) {
    for (int i = first; i < end; i++) {
      ToolLedger.Call call =
          new ToolLedger.Call(
              ids.next(),
              "session-" + i / 10,
              "assistant/agent-" + i % 3,
              "agent-" + i % 3,
              "tool_" + i % 7,
              "user-" + i % 50,
              "{\"query\":\"" + "x".repeat(200) + "\"}",
              START.plusSeconds(i));
      ledger.begin(handle, call);
      Status status = i % 20 == 0 ? Status.FAILED : Status.COMPLETED;
      ledger.end(
          handle,
          new ToolLedger.Ending(call, status, "{\"answer\":\"" + "y".repeat(600) + "\"}", i % 900));
    }
    return end - first;
  }

  private void measurePages() {
    Instant day = START.plusSeconds(500_000);
    Map<String, Filter> filters = new LinkedHashMap<>();
    filters.put("no filter", Filter.ALL);
    filters.put("session", filter("session-777", null, null, null, null, null, null));
    filters.put("agent", filter(null, "agent-1", null, null, null, null, null));
    filters.put("tool", filter(null, null, "tool_1", null, null, null, null));
    filters.put("user", filter(null, null, null, null, "user-3", null, null));
    filters.put("failed", filter(null, null, null, Status.FAILED, null, null, null));
    filters.put("completed", filter(null, null, null, Status.COMPLETED, null, null, null));
    filters.put("from", filter(null, null, null, null, null, START, null));
    filters.put("a day", filter(null, null, null, null, null, day, day.plusSeconds(86_399)));
    filters.put(
        "agent, a day", filter(null, "agent-1", null, null, null, day, day.plusSeconds(86_399)));
    filters.put("agent, tool", filter(null, "agent-1", "tool_1", null, null, null, null));
    filters.put("tool, failed", filter(null, null, "tool_1", Status.FAILED, null, null, null));
    filters.put(
        "agent, completed", filter(null, "agent-1", null, Status.COMPLETED, null, null, null));
    filters.put(
        "all seven",
        filter("session-777", "agent-1", "tool_1", Status.COMPLETED, "user-3", START, day));
    System.out.printf("%-18s %10s %12s %12s%n", "filter", "calls", "first page", "last page");
    filters.forEach(
        (name, filter) -> {
          var first = log.list(filter, 1, 50);
          int last = Math.toIntExact(Math.max(1, first.totalPages()));
          System.out.printf(
              "%-18s %,10d %9.1f ms %9.1f ms%n",
              name, first.total(), millis(filter, 1), millis(filter, last));
        });
  }

  private static Filter filter(
      @Nullable String session,
      @Nullable String agent,
      @Nullable String tool,
      @Nullable Status status,
      @Nullable String user,
      @Nullable Instant from,
      @Nullable Instant to) {
    return new Filter(session, agent, tool, status, user, from, to);
  }

  private double millis(Filter filter, int page) {
    double[] times = new double[TRIES];
    for (int i = 0; i < TRIES; i++) {
      long start = System.nanoTime();
      var _ = log.list(filter, page, 50);
      times[i] = (System.nanoTime() - start) / 1e6;
    }
    Arrays.sort(times);
    return times[TRIES / 2];
  }

  private void measureVerification() {
    long start = System.nanoTime();
    AuditVerification.Result result =
        database.<AuditVerification.Result>write(handle -> AuditVerification.run(handle, key));
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "verified in %.1f s, heap %d MB: %s%n",
        (System.nanoTime() - start) / 1e9,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        result);
  }
}
