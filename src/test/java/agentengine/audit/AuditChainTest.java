package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AuditVerification.Result;
import agentengine.audit.ToolLedger.Call;
import agentengine.audit.ToolLedger.Ending;
import agentengine.audit.ToolLedger.Status;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestDatabases.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many at once, on PostgreSQL from two nodes: there is still one chain. */
@ParameterizedClass
@EnumSource
class AuditChainTest {
  private static final int ROUNDS = 25;

  private final TestDatabases.Fresh fresh;
  private final Database database;
  private final List<TestLedger> nodes = new ArrayList<>();

  AuditChainTest(Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
    nodes.add(new TestLedger(database, TestLedger.KEY));
    if (kind == Kind.POSTGRES) {
      nodes.add(new TestLedger(fresh.open(), TestLedger.KEY));
    }
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void callsThatEndAtOnceMakeOneChain() throws Exception {
    int threads = 8;
    List<Callable<Boolean>> work = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      TestLedger node = nodes.get(thread % nodes.size());
      String name = "t" + thread;
      work.add(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              node.complete(TestLedger.call(name + "-" + i).build());
            }
            return true;
          });
    }
    together(work);

    assertIntact((long) threads * ROUNDS);
  }

  @Test
  void ofTwoThatEndTheSameCallsOneSucceedsInWhateverOrderTheyGo() throws Exception {
    TestLedger first = nodes.getFirst();
    TestLedger second = nodes.getLast();
    for (int i = 0; i < ROUNDS; i++) {
      Call a = TestLedger.call("a" + i).build();
      Call b = TestLedger.call("b" + i).build();
      first.write(handle -> first.ledger.begin(handle, a));
      first.write(handle -> first.ledger.begin(handle, b));

      List<String> outcomes =
          together(List.of(() -> endBoth(first, a, b), () -> endBoth(second, b, a)));

      assertThat(outcomes).containsOnlyOnce("ended").hasSize(2);
      assertThat(outcomes.stream().filter(outcome -> !outcome.equals("ended")))
          .allMatch(outcome -> outcome.contains("is not open"));
    }

    assertIntact(2L * ROUNDS);
  }

  @Test
  void aDecisionThatComesAsTheCallEndsIsEitherInItsRecordOrRefused() throws Exception {
    TestLedger first = nodes.getFirst();
    TestLedger second = nodes.getLast();
    for (int i = 0; i < ROUNDS; i++) {
      Call call = TestLedger.call("c" + i).build();
      first.await(call);

      List<Boolean> outcomes =
          together(
              List.of(
                  () -> {
                    first.end(call, Status.FAILED, "\"cancelled\"");
                    return true;
                  },
                  () -> second.decide(call)));

      assertThat(first.isDecided(call)).isEqualTo(outcomes.getLast());
    }

    assertIntact(ROUNDS);
  }

  private static String endBoth(TestLedger node, Call one, Call other) {
    Ending endOfOne = new Ending(one, Status.COMPLETED, "{}", 1);
    Ending endOfOther = new Ending(other, Status.COMPLETED, "{}", 1);
    try {
      node.write(
          handle -> {
            node.ledger.end(handle, endOfOne);
            node.ledger.end(handle, endOfOther);
          });
      return "ended";
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static <T> List<T> together(List<Callable<T>> work)
      throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(work.size());
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(work.size())) {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> one : work) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return one.call();
                }));
      }
      for (Future<T> future : futures) {
        results.add(future.get());
      }
    }
    return results;
  }

  private void assertIntact(long calls) {
    assertThat(database.<Result>read(handle -> AuditVerification.run(handle, TestLedger.KEY)))
        .isInstanceOf(Result.Intact.class)
        .hasFieldOrPropertyWithValue("calls", calls);
  }
}
