package agentengine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupCommitTest {
  private final TestDatabases.Fresh fresh = TestDatabases.fresh(TestDatabases.Kind.SQLITE);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Database database = fresh.open(meters);

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    fresh.close();
  }

  @Test
  void workThatWaitsTogetherIsCommittedTogether() throws Exception {
    holdTheWriter();
    List<FutureTask<Boolean>> inserts = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      inserts.add(inBackground(insert("node-" + i)));
    }
    release.countDown();

    for (FutureTask<Boolean> insert : inserts) {
      assertThat(insert.get()).isTrue();
    }
    assertThat(Nodes.count(database)).isEqualTo(20);
    // One for the work that held the writer, one for all the others.
    assertThat(meters.get("engine.store.commit").timer().count()).isEqualTo(2);
  }

  @Test
  void workThatFailsUndoesOnlyItself() throws Exception {
    holdTheWriter();
    FutureTask<Boolean> before = inBackground(insert("before"));
    FutureTask<Boolean> failing = inBackground(failAfterInsert(new IllegalStateException("no")));
    FutureTask<Boolean> wrongSql = inBackground(handle -> handle.execute("NO SUCH SQL") == 0);
    FutureTask<Boolean> broken = inBackground(failAfterInsert(new AssertionError("bug")));
    FutureTask<Boolean> after = inBackground(insert("after"));
    release.countDown();

    assertThat(before.get()).isTrue();
    assertThatThrownBy(failing::get).hasRootCauseMessage("no");
    assertThatThrownBy(wrongSql::get).hasMessageContaining("syntax error");
    assertThatThrownBy(broken::get).hasRootCauseMessage("bug");
    assertThat(after.get()).isTrue();
    assertThat(ids()).containsExactly("after", "before");
    assertThat(meters.get("engine.store.commit").timer().count()).isEqualTo(2);
  }

  @Test
  void theSameKeyTwiceInOneBatchFailsOnlyTheSecond() throws Exception {
    holdTheWriter();
    FutureTask<Boolean> first = inBackground(insert("same"));
    FutureTask<Boolean> second = inBackground(insert("same"));
    release.countDown();

    assertThat(first.get()).isTrue();
    assertThatThrownBy(second::get).hasMessageContaining("UNIQUE");
    assertThat(ids()).containsExactly("same");
  }

  @Test
  void closingFinishesWhatWasWaiting() throws Exception {
    holdTheWriter();
    FutureTask<Boolean> waiting = inBackground(insert("late"));
    FutureTask<Boolean> closing = new FutureTask<>(database::close, true);
    Thread closer = Thread.ofPlatform().start(closing);
    Waiting.untilBlocked(closer);
    release.countDown();

    assertThat(closing.get()).isTrue();
    assertThat(waiting.get()).isTrue();
    assertThat(Nodes.count(fresh.open())).isEqualTo(1);
  }

  @Test
  void aClosedStoreRefusesWorkInsteadOfLettingItWait() {
    database.close();

    assertThatThrownBy(() -> Nodes.insert(database, "too late"))
        .isInstanceOf(StoreUnavailable.class);
  }

  @Test
  void noCallerIsForgottenWhenTheStoreClosesUnderLoad() throws Exception {
    List<FutureTask<Boolean>> callers = new ArrayList<>();
    for (int i = 1; i <= 200; i++) {
      String id = "node-" + i;
      FutureTask<Boolean> caller =
          new FutureTask<>(
              () -> {
                try {
                  Nodes.insert(database, id);
                  return true;
                } catch (StoreUnavailable _) {
                  return false;
                }
              });
      callers.add(caller);
      Thread.ofVirtual().start(caller);
    }
    database.close();

    long stored = 0;
    for (FutureTask<Boolean> caller : callers) {
      stored += caller.get() ? 1 : 0;
    }
    assertThat(Nodes.count(fresh.open())).isEqualTo(stored);
  }

  /** Keeps the writer busy until {@code release}, so that work gathers behind it. */
  private void holdTheWriter() throws InterruptedException {
    Thread.ofPlatform()
        .start(
            () ->
                database.write(
                    _ -> {
                      held.countDown();
                      awaitRelease();
                      return true;
                    }));
    held.await();
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts work on a thread of its own and returns when it stands in the queue. */
  private FutureTask<Boolean> inBackground(Database.Work<Boolean> work) {
    FutureTask<Boolean> task = new FutureTask<>(() -> database.write(work));
    Waiting.untilBlocked(Thread.ofPlatform().start(task));
    return task;
  }

  private static Database.Work<Boolean> insert(String id) {
    return handle -> {
      Nodes.insert(handle, id);
      return true;
    };
  }

  private static Database.Work<Boolean> failAfterInsert(Throwable failure) {
    return handle -> {
      Nodes.insert(handle, "undone");
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    };
  }

  private List<String> ids() {
    return database.read(
        handle -> handle.createQuery("SELECT id FROM node ORDER BY id").mapTo(String.class).list());
  }
}
