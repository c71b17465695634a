package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AuditVerification.Result;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AuditVerificationTest {
  private static final List<String> TEXTS =
      List.of(
          "call_id",
          "session_id",
          "path",
          "agent",
          "tool",
          "user_id",
          "input",
          "output",
          "status",
          "input_hash",
          "decision",
          "reason",
          "decided_by",
          "hash");
  private static final String ADDED = " was added by somebody else than the engine";
  private static final String END = "the mark of the log's end was ";

  private final TestDatabases.Fresh fresh;
  private final Database database;
  private final TestLedger calls;

  AuditVerificationTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
    calls = new TestLedger(database, TestLedger.KEY);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  private void fiveCalls() {
    calls.complete(TestLedger.call("c1").build());
    calls.fail(TestLedger.call("c2").build());
    calls.completeApproved(TestLedger.call("c3").build());
    calls.complete(TestLedger.call("c4").build());
    calls.complete(TestLedger.call("c5").build());
  }

  @Test
  void aLogWithoutCallsIsIntact() {
    calls.await(TestLedger.call("waiting").build());

    assertThat(verify()).isEqualTo(new Result.Intact(0, ""));
  }

  @Test
  void whatTheEngineWroteIsIntactAndEndsWithTheHashOfTheLastCall() {
    fiveCalls();
    calls.await(TestLedger.call("waiting").build());

    String lastHash =
        new ToolCallLog(database).list(ToolCallLog.Filter.ALL, 1, 1).data().getFirst().hash();
    assertThat(verify()).isEqualTo(new Result.Intact(5, lastHash));
  }

  @Test
  void aTextThatNoDatabaseKeepsAsItIsDoesNotLookChanged() {
    ToolLedger.Call call = TestLedger.call("c1").build();
    calls.write(handle -> calls.ledger.begin(handle, call));
    calls.end(call, ToolLedger.Status.COMPLETED, "\"half a pair \ud800, \\u0000, 密\"");

    assertThat(verify()).isInstanceOf(Result.Intact.class);
  }

  @Test
  void aChangeOfAnyColumnOfAnyCallIsFound() {
    fiveCalls();
    for (int number = 1; number <= 5; number++) {
      List<String> changes = new ArrayList<>();
      TEXTS.forEach(column -> changes.add(column + " = COALESCE(" + column + ", '') || 'x'"));
      changes.addAll(List.of("duration_ms = 43", "created_at = created_at + 1", "hash = NULL"));
      changes.addAll(List.of("output = NULL", "status = 'running'"));
      for (String change : changes) {
        assertThat(after("UPDATE tool_call SET " + change + " WHERE number = " + number))
            .as("%s of call %s", change, number)
            .isEqualTo(broken("call " + number + " was changed"));
      }
    }
  }

  @Test
  void theFirstOfSeveralChangedCallsIsNamed() {
    fiveCalls();

    assertThat(after("UPDATE tool_call SET tool = 'x' WHERE number IN (2, 4, 5)"))
        .isEqualTo(broken("call 2 was changed"));
  }

  @Test
  void aRemovedCallIsNamedWhereverItStood() {
    fiveCalls();

    assertThat(after("DELETE FROM tool_call WHERE number = 1"))
        .isEqualTo(broken("call 1 was removed"));
    assertThat(after("DELETE FROM tool_call WHERE number = 3"))
        .isEqualTo(broken("call 3 was removed"));
    assertThat(after("DELETE FROM tool_call WHERE number IN (2, 3, 4)"))
        .isEqualTo(broken("call 2 was removed (2 to 4)"));
    assertThat(after("DELETE FROM tool_call WHERE number = 5"))
        .isEqualTo(broken("call 5 was removed: the log went up to call 5"));
    assertThat(after("DELETE FROM tool_call WHERE number > 2"))
        .isEqualTo(broken("call 3 was removed: the log went up to call 5"));
    assertThat(after("DELETE FROM tool_call"))
        .isEqualTo(broken("call 1 was removed: the log went up to call 5"));
    assertThat(after("UPDATE tool_call SET number = NULL, hash = NULL WHERE number = 5"))
        .isEqualTo(broken("call 5 was removed: the log went up to call 5"));
  }

  @Test
  void aGapThatWasClosedIsFound() {
    fiveCalls();

    assertThat(
            after(
                "DELETE FROM tool_call WHERE number = 2",
                "UPDATE tool_call SET number = 2 WHERE number = 3",
                "UPDATE tool_call SET number = 3 WHERE number = 4",
                "UPDATE tool_call SET number = 4 WHERE number = 5"))
        .isEqualTo(broken("call 2 was changed"));
  }

  @Test
  void swappedCallsAreFound() {
    fiveCalls();

    assertThat(
            after(
                "UPDATE tool_call SET number = 100 WHERE number = 2",
                "UPDATE tool_call SET number = 2 WHERE number = 4",
                "UPDATE tool_call SET number = 4 WHERE number = 100"))
        .isEqualTo(broken("call 2 was changed"));
  }

  @Test
  void aForgedCallIsFoundWhereverItIsPut() {
    fiveCalls();

    assertThat(after(forged("6"))).isEqualTo(broken("call 6" + ADDED));
    assertThat(after(forged("9"))).isEqualTo(broken("call 9" + ADDED));
    assertThat(after(forged("0"))).isEqualTo(broken("call 0" + ADDED));
    assertThat(after(forged("-7"))).isEqualTo(broken("call -7" + ADDED));
    assertThat(after(forged("NULL")))
        .isEqualTo(broken("an ended call without a number, id forged," + ADDED));
    assertThat(
            after(
                "UPDATE tool_call SET number = 6 WHERE number = 5",
                "UPDATE tool_call SET number = 5 WHERE number = 4",
                forged("4")))
        .isEqualTo(broken("call 4 was changed"));
  }

  @Test
  void aCallThatIsThereTwiceIsFound() {
    fiveCalls();

    assertThat(after("DROP INDEX tool_call_ended", forged("3")))
        .isIn(broken("call 3 was changed"), broken("call 3" + ADDED));
  }

  @Test
  void aChangedOrRemovedMarkOfTheEndIsFound() {
    fiveCalls();
    String unsealed =
        END
            + "changed, or this is not the master key that the engine runs with;"
            + " calls after call ";

    for (String change : List.of("number = 4", "number = 6", "hash = 'x'", "seal = 'x'")) {
      assertThat(after("UPDATE audit_head SET " + change))
          .isEqualTo(broken(unsealed + "5 may be missing"));
    }
    assertThat(after("DELETE FROM audit_head"))
        .isEqualTo(broken(END + "removed; calls after call 5 may be missing"));
    assertThat(
            after(
                "DELETE FROM tool_call WHERE number = 5",
                "UPDATE audit_head SET number = 4,"
                    + " hash = (SELECT hash FROM tool_call WHERE number = 4)"))
        .isEqualTo(broken(unsealed + "4 may be missing"));
  }

  @Test
  void theMarkOfAnEarlierEndDoesNotFitALaterLog() {
    fiveCalls();
    AuditChain.Head earlier = database.<AuditChain.Head>read(AuditChain::head);
    calls.complete(TestLedger.call("c6").build());
    String back =
        "UPDATE audit_head SET number = %d, hash = '%s', seal = '%s'"
            .formatted(earlier.number(), earlier.hash(), earlier.seal());

    assertThat(after(back)).isEqualTo(broken(END + "changed: it fits call 5, and there are 6"));
    // Nothing inside can tell a whole earlier state from the present one; its last hash does.
    assertThat(after(back, "DELETE FROM tool_call WHERE number = 6"))
        .isEqualTo(new Result.Intact(5, earlier.hash()));
  }

  @Test
  void anotherMasterKeyIsTakenForWhatItIs() {
    fiveCalls();

    Result result =
        database.<Result>read(handle -> AuditVerification.run(handle, TestLedger.key(2)));

    assertThat(result)
        .isEqualTo(
            broken(
                "neither call 1 nor the end of the log was marked with this master key; probably it"
                    + " is not the key that the engine runs with"));
  }

  @Test
  void aLongLogIsReadToItsEnd() {
    for (int i = 1; i <= 65; i++) {
      calls.complete(TestLedger.call("c" + i).build());
    }

    assertThat(verify())
        .isInstanceOf(Result.Intact.class)
        .hasFieldOrPropertyWithValue("calls", 65L);
    assertThat(after("UPDATE tool_call SET tool = 'x' WHERE number = 64"))
        .isEqualTo(broken("call 64 was changed"));
  }

  private static Result broken(String problem) {
    return new Result.Broken(problem);
  }

  private static String forged(String number) {
    return """
        INSERT INTO tool_call (call_id, session_id, path, agent, tool, user_id, input, output,
          status, duration_ms, created_at, number, hash)
        SELECT 'forged', session_id, path, agent, tool, user_id, input, output, status,
          duration_ms, created_at, %s, hash
        FROM tool_call WHERE call_id = 'c5'
        """
        .formatted(number);
  }

  private Result verify() {
    return database.<Result>read(handle -> AuditVerification.run(handle, TestLedger.KEY));
  }

  /** What a verification finds after these statements, which are then undone. */
  private Result after(String... statements) {
    try {
      database.write(
          handle -> {
            for (String statement : statements) {
              handle.execute(statement);
            }
            throw new Found(verify(handle));
          });
      throw new AssertionError("the statements must not stay");
    } catch (Found found) {
      return found.result;
    }
  }

  private static Result verify(Handle handle) {
    return AuditVerification.run(handle, TestLedger.KEY);
  }

  /** Carries the result out of a transaction and undoes it. */
  private static final class Found extends RuntimeException {
    final transient Result result;

    Found(Result result) {
      this.result = result;
    }
  }
}
