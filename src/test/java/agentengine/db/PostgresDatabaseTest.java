package agentengine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PostgresDatabaseTest {
  private final TestDatabases.Fresh fresh = TestDatabases.fresh(TestDatabases.Kind.POSTGRES);
  private final CountDownLatch locked = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());
  private @Nullable FutureTask<Boolean> lockHolder;

  @AfterEach
  void close() throws Exception {
    release.countDown();
    if (lockHolder != null) {
      lockHolder.get();
    }
    fresh.close();
  }

  @Test
  void aServerThatIsNotThereIsToldInOneLineWithoutThePassword() throws Exception {
    int unusedPort;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      unusedPort = socket.getLocalPort();
    }

    assertThatThrownBy(() -> open("postgresql://engine:geheim@127.0.0.1:" + unusedPort + "/agents"))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageStartingWith(
            "the database at 127.0.0.1:" + unusedPort + "/agents cannot be reached: ")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1).doesNotContain("geheim"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postgresql://engine:geheim@my_host/agents",
        "postgresql://engine:geheim@localhost",
        "postgresql://engine:geheim@/agents",
        "postgresql:agents?password=geheim"
      })
  void aUrlThatCannotBeReadIsToldInOneLineWithoutThePassword(String url) {
    assertThatThrownBy(() -> open(url))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("postgresql://user:password@host:port/database")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1).doesNotContain("geheim"));
  }

  @Test
  void nodesThatStartAtOnceOnAnEmptyDatabaseAllGetIn() throws Exception {
    Callable<Long> node = () -> Nodes.count(fresh.open());

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Long> count : threads.invokeAll(List.of(node, node, node))) {
        assertThat(count.get()).isZero();
      }
    }
  }

  @Test
  void nodesShareIt() {
    Database one = fresh.open();
    Database another = fresh.open();

    Nodes.insert(one, "seen by both");

    assertThat(another.shared()).isTrue();
    assertThat(Nodes.count(another)).isEqualTo(1);
  }

  @Test
  void aLockMakesTheOtherNodesWaitForTheEndOfTheTransaction() throws Exception {
    Database one = fresh.open();
    Database another = fresh.open();
    holdLock(one);

    FutureTask<Long> second =
        new FutureTask<>(
            () ->
                another.write(
                    handle -> {
                      another.lock(handle, "turn");
                      order.add("second");
                      return Nodes.count(handle);
                    }));
    Thread.ofVirtual().start(second);
    Waiting.until(() -> transactionsWaitingForALock(one) == 1);
    release.countDown();

    assertThat(second.get()).isEqualTo(1);
    assertThat(order).containsExactly("first", "second");
  }

  @Test
  void locksOfDifferentNamesDoNotMeet() throws Exception {
    Database one = fresh.open();
    holdLock(one);

    boolean done =
        one.write(
            handle -> {
              one.lock(handle, "another name");
              return true;
            });

    assertThat(done).isTrue();
  }

  @Test
  void anInterruptInTheMiddleOfAWriteDoesNotLoseIt() throws Exception {
    Database database = fresh.open();
    holdLock(database);
    FutureTask<Boolean> write =
        new FutureTask<>(
            () -> {
              database.write(
                  handle -> {
                    database.lock(handle, "turn");
                    Nodes.insert(handle, "interrupted");
                    return true;
                  });
              return Thread.interrupted();
            });
    Thread writer = Thread.ofVirtual().start(write);
    Waiting.until(() -> transactionsWaitingForALock(database) == 1);

    writer.interrupt();
    release.countDown();

    assertThat(write.get()).as("the interrupt is still there afterwards").isTrue();
    assertThat(Nodes.count(database)).isEqualTo(2);
  }

  @Test
  void aFailureComesOutAsItWasThrown() {
    Database database = fresh.open();

    assertThatThrownBy(
            () ->
                database.read(
                    _ -> {
                      throw new IllegalArgumentException("mine");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("mine");
  }

  /** Starts a transaction that holds the lock "turn" until the release, then inserts a row. */
  private void holdLock(Database database) throws InterruptedException {
    FutureTask<Boolean> holder =
        new FutureTask<>(
            () ->
                database.write(
                    handle -> {
                      database.lock(handle, "turn");
                      locked.countDown();
                      awaitRelease();
                      Nodes.insert(handle, "holder");
                      return order.add("first");
                    }));
    lockHolder = holder;
    Thread.ofVirtual().start(holder);
    locked.await();
  }

  private void awaitRelease() {
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long transactionsWaitingForALock(Database database) {
    return database.read(
        handle ->
            handle
                .createQuery(
                    """
                    SELECT COUNT(*) FROM pg_locks
                    WHERE locktype = 'advisory' AND NOT granted
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """)
                .mapTo(Long.class)
                .one());
  }

  private static void open(String url) {
    PostgresDatabase.open(URI.create(url), new SimpleMeterRegistry()).close();
  }
}
