package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.audit.ToolLedger.Call;
import agentengine.audit.ToolLedger.Decision;
import agentengine.audit.ToolLedger.Ending;
import agentengine.audit.ToolLedger.Entry;
import agentengine.audit.ToolLedger.Status;
import agentengine.audit.ToolLedger.Verdict;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ToolLedgerTest {
  private static final Decision APPROVAL = new Decision(Verdict.APPROVE, null, "alice");
  private static final Decision REJECTION = new Decision(Verdict.REJECT, "too dear", "bob");

  private final TestDatabases.Fresh fresh;
  private final Database database;
  private final TestLedger calls;
  private final ToolLedger ledger;
  private final Call call = TestLedger.call("c1").build();

  ToolLedgerTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
    calls = new TestLedger(database, TestLedger.KEY);
    ledger = calls.ledger;
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void aCallThatNobodyIsAskedAboutRunsAtOnce() {
    begin(call);

    assertThat(find("c1")).isEqualTo(new Entry(call, Status.RUNNING, null, null, null));
  }

  @Test
  void aCallThatEndedHasItsOutput() {
    begin(call);
    end(Status.COMPLETED);

    assertThat(find("c1")).isEqualTo(new Entry(call, Status.COMPLETED, null, null, "{}"));
  }

  @Test
  void aCallEndsOnce() {
    begin(call);
    end(Status.FAILED);

    assertThatThrownBy(() -> end(Status.COMPLETED)).hasMessageContaining("call c1 is not open");

    assertThat(find("c1").status()).isEqualTo(Status.FAILED);
    assertIntact(1);
  }

  @Test
  void aCallThatIsNotThereCannotEnd() {
    assertThatThrownBy(() -> end(Status.COMPLETED)).hasMessageContaining("call c1 is not open");
    assertIntact(0);
  }

  @Test
  void aCallEndsAsTheOneThatWasBegun() {
    begin(call);
    Call other = TestLedger.call("c1").tool("delete").build();

    assertThatThrownBy(() -> calls.end(other, Status.COMPLETED, "{}"))
        .hasMessageContaining("not the one that was begun");
    assertThat(find("c1").status()).isEqualTo(Status.RUNNING);
  }

  @Test
  void anEndIsCompletedOrFailed() {
    assertThatThrownBy(() -> new Ending(call, Status.RUNNING, "{}", 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSameCallIsNotBegunTwice() {
    begin(call);

    assertThatThrownBy(() -> begin(call)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> calls.await(call)).isInstanceOf(RuntimeException.class);
  }

  @Test
  void anApprovedCallRunsAndEnds() {
    calls.await(call);
    assertThat(find("c1")).isEqualTo(new Entry(call, Status.WAITING, "hash-of-c1", null, null));

    assertThat(decide(APPROVAL)).isTrue();
    assertThat(find("c1").decision()).isEqualTo(APPROVAL);
    beginApproved();
    assertThat(find("c1").status()).isEqualTo(Status.RUNNING);
    end(Status.COMPLETED);

    assertThat(find("c1"))
        .isEqualTo(new Entry(call, Status.COMPLETED, "hash-of-c1", APPROVAL, "{}"));
    assertIntact(1);
  }

  @Test
  void aRejectedCallNeverRunsAndFails() {
    calls.await(call);
    assertThat(decide(REJECTION)).isTrue();

    assertThatThrownBy(this::beginApproved).hasMessageContaining("not one that was approved");
    assertThatThrownBy(() -> end(Status.COMPLETED)).hasMessageContaining("is not open");
    end(Status.FAILED);

    assertThat(find("c1").decision()).isEqualTo(REJECTION);
    assertIntact(1);
  }

  @Test
  void aCallThatNobodyDecidedOnNeitherRunsNorCompletes() {
    calls.await(call);

    assertThatThrownBy(this::beginApproved).hasMessageContaining("not one that was approved");
    assertThatThrownBy(() -> end(Status.COMPLETED)).hasMessageContaining("is not open");
    assertThat(find("c1").status()).isEqualTo(Status.WAITING);
  }

  @Test
  void anApprovedCallIsStartedOnce() {
    calls.await(call);
    decide(APPROVAL);
    beginApproved();

    assertThatThrownBy(this::beginApproved).hasMessageContaining("not one that was approved");
  }

  @Test
  void theFirstDecisionStands() {
    calls.await(call);

    assertThat(decide(REJECTION)).isTrue();
    assertThat(decide(APPROVAL)).isFalse();
    assertThat(decide(new Decision(Verdict.EXPIRED, null, null))).isFalse();

    assertThat(find("c1").decision()).isEqualTo(REJECTION);
  }

  @Test
  void nobodyDecidesAboutACallThatEndedOrRunsOrIsNotThere() {
    assertThat(decide(APPROVAL)).isFalse();
    begin(call);
    assertThat(decide(APPROVAL)).isFalse();
    end(Status.COMPLETED);
    assertThat(decide(APPROVAL)).isFalse();

    assertThat(find("c1").decision()).isNull();
  }

  @Test
  void whatASessionIsAskedIsWhatWaitsForADecision() {
    Call child = TestLedger.call("c3").path("assistant/researcher").build();
    Call decided = TestLedger.call("c2").build();
    calls.await(child);
    calls.await(decided);
    calls.await(call);
    calls.await(TestLedger.call("c4").session("s2").build());
    begin(TestLedger.call("c5").build());
    assertThat(database.<Boolean>write(handle -> ledger.decide(handle, "c2", REJECTION))).isTrue();

    assertThat(database.<List<Call>>read(handle -> ledger.undecided(handle, "s1")))
        .containsExactly(call, child);
    assertThat(database.<List<Call>>read(handle -> ledger.undecided(handle, "s3"))).isEmpty();
    assertThat(database.<List<String>>read(ledger::decided)).containsExactly("c2");
  }

  @Test
  void callsAreFoundByTheirIds() {
    begin(call);
    Call second = TestLedger.call("c2").build();
    begin(second);

    assertThat(database.<List<Entry>>read(h -> ledger.find(h, List.of("c2", "c1", "c9"))))
        .extracting(Entry::call)
        .containsExactlyInAnyOrder(call, second);
    assertThat(database.<List<Entry>>read(h -> ledger.find(h, List.of()))).isEmpty();
    assertThat(database.<Boolean>read(h -> ledger.find(h, "c9").isEmpty())).isTrue();
  }

  @Test
  void whatFailsTogetherLeavesNoPlaceInTheLog() {
    begin(call);
    Ending ending = new Ending(call, Status.COMPLETED, "{}", 1);

    assertThatThrownBy(
            () ->
                calls.write(
                    handle -> {
                      ledger.end(handle, ending);
                      throw new IllegalStateException("the rest failed");
                    }))
        .hasMessage("the rest failed");

    assertThat(find("c1").status()).isEqualTo(Status.RUNNING);
    assertIntact(0);
    end(Status.COMPLETED);
    assertIntact(1);
  }

  private void begin(Call one) {
    calls.write(handle -> ledger.begin(handle, one));
  }

  private void beginApproved() {
    calls.write(handle -> ledger.beginApproved(handle, "c1"));
  }

  private void end(Status status) {
    calls.end(call, status, "{}");
  }

  private boolean decide(Decision decision) {
    return database.<Boolean>write(handle -> ledger.decide(handle, "c1", decision));
  }

  private Entry find(String id) {
    return database.<Entry>read(handle -> ledger.find(handle, id).orElseThrow());
  }

  private void assertIntact(long count) {
    assertThat(
            database.<AuditVerification.Result>read(
                handle -> AuditVerification.run(handle, TestLedger.KEY)))
        .isInstanceOfSatisfying(
            AuditVerification.Result.Intact.class,
            intact -> assertThat(intact.calls()).isEqualTo(count));
  }
}
