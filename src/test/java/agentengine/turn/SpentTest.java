package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.db.Database;
import agentengine.model.ModelAnswer;
import agentengine.session.Origin;
import agentengine.session.Session;
import agentengine.session.SessionStatus;
import agentengine.session.Sessions;
import agentengine.testing.TestDatabases;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What turns took, in the store and summed. */
@ParameterizedClass
@EnumSource
class SpentTest {
  private static final TurnKey ROOT = new TurnKey("root", 1, 1);

  private final TestDatabases.Fresh fresh;
  private final Database db;

  SpentTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    db = fresh.open();
    session("root", null);
    session("child", "root");
    session("grandchild", "child");
    db.write(
        handle -> {
          TurnStore.insert(handle, ROOT, "helper", "me", null, "node", false, 1);
          return null;
        });
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void a_turn_that_is_taken_up_again_knows_what_it_took_so_far() {
    assertThat(open()).as("nothing yet, and that is known").isEqualTo(Spent.NOTHING);

    Spent some = Spent.NOTHING.plus(origin(100, 10, 5_000_000_000L)).plus(origin(200, 20, 1L));
    advance(some);
    assertThat(open()).isEqualTo(new Spent(2, 330, 300, 30, 5_000_000_001L)).isEqualTo(some);

    Spent unpriced = some.plus(origin(1, 1, null)).plus(origin(1, 1, 7L));
    advance(unpriced);
    assertThat(open()).isEqualTo(new Spent(4, 334, 302, 32, null));
  }

  @Test
  void what_sub_agents_took_is_known_if_it_is_of_each() {
    subTurn("child", 1, new Spent(1, 11, 10, 1, 40L));
    subTurn("child", 2, new Spent(1, 22, 20, 2, 2L));
    subTurn("child", 3, Spent.NOTHING);
    assertThat(below()).isEqualTo(new Spent(0, 33, 30, 3, 42L));

    subTurn("child", 4, new Spent(1, 44, 40, 4, null));
    assertThat(below()).isEqualTo(new Spent(0, 77, 70, 7, null));
    assertThat(new Spent(3, 5, 4, 1, 9L).withBelow(below()))
        .isEqualTo(new Spent(3, 82, 74, 8, null));
  }

  @Test
  void a_session_has_the_sums_of_its_turns_and_so_has_each_below_it() {
    subTurn("child", 1, new Spent(1, 11, 10, 1, 40L));
    subTurn("grandchild", 1, new Spent(1, 22, 20, 2, null));
    finish(ROOT, new Spent(2, 44, 40, 4, 3_000_000_000_000L));

    var usage = db.read(handle -> SessionUsage.below(handle, "root"));

    assertThat(usage)
        .containsOnlyKeys("root", "child", "grandchild")
        .containsEntry("root", new SessionUsage(40, 4, 44, 3_000_000_000_000L))
        .containsEntry("child", new SessionUsage(10, 1, 11, 40L))
        .containsEntry("grandchild", new SessionUsage(20, 2, 22, null));
  }

  private void session(String id, @Nullable String parent) {
    Session session =
        new Session(id, parent, "help", "helper", "me", SessionStatus.RUNNING, 1, 1, Instant.EPOCH);
    db.write(
        handle -> {
          new Sessions(db).insert(handle, session);
          return null;
        });
  }

  private static Origin origin(int input, int output, @Nullable Long cost) {
    return new Origin("sim", ModelAnswer.Usage.of(input, output), cost, null);
  }

  private void advance(Spent spent) {
    TurnState state = new TurnState(ROOT, "helper", List.of(), spent);
    db.write(
        handle -> {
          TurnStore.advance(handle, state);
          return null;
        });
  }

  private Spent open() {
    return db.read(handle -> TurnStore.open(handle, ROOT)).orElseThrow().spent();
  }

  private Spent below() {
    return db.read(handle -> SubTurns.spentBelow(handle, ROOT));
  }

  private void subTurn(String session, int number, Spent spent) {
    TurnKey key = new TurnKey(session, number, 1);
    db.write(
        handle -> {
          SubTurns.insert(handle, key, "helper", "me", session + number, ROOT, Instant.EPOCH);
          return null;
        });
    finish(key, spent);
  }

  private void finish(TurnKey key, Spent spent) {
    db.write(
        handle -> {
          TurnStore.finish(handle, key, TurnStatus.COMPLETED, spent, 2);
          return null;
        });
  }
}
