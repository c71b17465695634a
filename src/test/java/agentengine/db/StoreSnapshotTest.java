package agentengine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.testing.TestDatabases;
import java.net.URI;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class StoreSnapshotTest {
  private final TestDatabases.Fresh fresh;
  private final Database database;

  StoreSnapshotTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void whatIsCommittedMeanwhileIsNotSeen() {
    addNode("before");

    int count =
        this.<Integer>look(
            handle -> {
              int first = count(handle);
              addNode("meanwhile");
              assertThat(count(handle)).isEqualTo(first);
              return first;
            });

    assertThat(count).isEqualTo(1);
    assertThat(this.<Integer>look(StoreSnapshotTest::count)).isEqualTo(2);
  }

  @Test
  void nothingCanBeWritten() {
    assertThatThrownBy(() -> this.<Integer>look(handle -> handle.execute("DELETE FROM node")))
        .isInstanceOf(StoreUnavailable.class);
  }

  private <T> T look(Database.Work<T> work) {
    return fresh instanceof TestDatabases.Postgres postgres
        ? StoreSnapshot.<T>ofPostgres(URI.create(postgres.url()), work)
        : StoreSnapshot.<T>ofSqlite(fresh.dataDirectory(), work);
  }

  private void addNode(String id) {
    database.write(handle -> handle.execute("INSERT INTO node (id, expires_at) VALUES (?, 0)", id));
  }

  private static int count(Handle handle) {
    return handle.createQuery("SELECT COUNT(*) FROM node").mapTo(Integer.class).one();
  }
}
