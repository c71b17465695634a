package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.audit.ToolCallLog.Filter;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ToolCallLogTest {
  private final TestDatabases.Fresh fresh;
  private final TestLedger calls;
  private final ToolCallLog log;

  ToolCallLogTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    Database database = fresh.open();
    calls = new TestLedger(database, TestLedger.KEY);
    log = new ToolCallLog(database);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void aCallIsThereWithAllThatIsKnownOfIt() {
    ToolLedger.Call call = TestLedger.call("c1").path("assistant/researcher").build();
    calls.complete(call);

    AuditedCall entry = log.list(Filter.ALL, 1, 50).data().getFirst();

    assertThat(entry.number()).isEqualTo(1);
    assertThat(entry.hash()).matches("[0-9a-f]{64}");
    assertThat(entry.call())
        .isEqualTo(
            new ToolCallRecord(
                "c1",
                "s1",
                "assistant/researcher",
                "researcher",
                "search",
                "alice",
                "{\"query\":\"c1\"}",
                "{\"found\":\"ü\"}",
                "completed",
                42,
                TestLedger.NOON));
  }

  @Test
  void onlyCallsThatHaveEndedAreListed() {
    calls.complete(TestLedger.call("ended").build());
    calls.write(handle -> calls.ledger.begin(handle, TestLedger.call("running").build()));
    calls.await(TestLedger.call("waiting").build());
    ToolLedger.Call approved = TestLedger.call("approved").build();
    calls.await(approved);
    calls.approve(approved);

    assertThat(ids(Filter.ALL)).containsExactly("ended");
    assertThat(ids(agent("assistant"))).containsExactly("ended");
    assertThat(log.list(Filter.ALL, 1, 50).total()).isEqualTo(1);
    assertThat(log.list(agent("assistant"), 1, 50).total()).isEqualTo(1);
  }

  @Test
  void everyFilterFindsItsOwnAndAllTogetherFindWhatFitsThemAll() {
    calls.complete(TestLedger.call("c1").build());
    calls.complete(TestLedger.call("c2").session("s2").build());
    calls.complete(TestLedger.call("c3").path("assistant/researcher").build());
    calls.complete(TestLedger.call("c4").tool("fetch").build());
    calls.complete(TestLedger.call("c5").user("bob").build());
    calls.fail(TestLedger.call("c6").build());
    calls.complete(TestLedger.call("c7").at("2026-03-02T00:00:00Z").build());

    assertThat(ids(new Filter("s2", null, null, null, null, null, null))).containsExactly("c2");
    assertThat(ids(agent("researcher"))).containsExactly("c3");
    assertThat(ids(new Filter(null, null, "fetch", null, null, null, null))).containsExactly("c4");
    assertThat(ids(new Filter(null, null, null, null, "bob", null, null))).containsExactly("c5");
    assertThat(ids(status(ToolLedger.Status.FAILED))).containsExactly("c6");
    assertThat(ids(status(ToolLedger.Status.COMPLETED)))
        .containsExactly("c7", "c5", "c4", "c3", "c2", "c1");
    assertThat(ids(between("2026-03-02T00:00:00Z", null))).containsExactly("c7");
    Filter all =
        new Filter(
            "s1",
            "assistant",
            "search",
            ToolLedger.Status.COMPLETED,
            "alice",
            TestLedger.NOON,
            TestLedger.NOON);
    assertThat(ids(all)).containsExactly("c1");
    assertThat(log.list(all, 1, 50).total()).isEqualTo(1);
  }

  @Test
  void whatNothingFitsIsAnEmptyPage() {
    calls.complete(TestLedger.call("c1").build());

    for (Filter filter :
        List.of(
            agent("assistant/"),
            agent("ASSISTANT"),
            agent("%"),
            agent("assistant' OR '1'='1"),
            between("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z"))) {
      assertThat(log.list(filter, 1, 50)).isEqualTo(new Page<>(List.of(), 0, 1, 50));
    }
  }

  @Test
  void bothTimesAreInclusiveToTheMillisecond() {
    calls.complete(TestLedger.call("c1").at("2026-03-01T12:00:00.122Z").build());
    calls.complete(TestLedger.call("c2").at("2026-03-01T12:00:00.123Z").build());
    calls.complete(TestLedger.call("c3").at("2026-03-01T12:00:00.124Z").build());

    String moment = "2026-03-01T12:00:00.123Z";
    assertThat(ids(between(moment, null))).containsExactly("c3", "c2");
    assertThat(ids(between(null, moment))).containsExactly("c2", "c1");
    assertThat(ids(between(moment, moment))).containsExactly("c2");
    String within = "2026-03-01T12:00:00.123999Z";
    assertThat(ids(between(within, within))).containsExactly("c2");
  }

  @Test
  void theCallThatWasMadeLastComesFirstAndOfThoseOfOneMomentTheOneThatEndedLast() {
    ToolLedger.Call slow = TestLedger.call("slow").at("2026-03-01T12:00:00Z").build();
    calls.await(slow);
    calls.complete(TestLedger.call("c1").at("2026-03-01T13:00:00Z").build());
    calls.complete(TestLedger.call("c2").at("2026-03-01T13:00:00Z").build());
    calls.approve(slow);
    calls.end(slow, ToolLedger.Status.COMPLETED, "{}");

    assertThat(ids(Filter.ALL)).containsExactly("c2", "c1", "slow");
    assertThat(log.list(Filter.ALL, 1, 50).data())
        .extracting(AuditedCall::number)
        .containsExactly(2L, 1L, 3L);
  }

  @Test
  void eachCallIsOnExactlyOnePageAndEveryPageKnowsHowManyThereAre() {
    for (int i = 1; i <= 5; i++) {
      calls.complete(TestLedger.call("c" + i).build());
    }
    for (Filter filter : List.of(Filter.ALL, agent("assistant"))) {
      assertThat(ids(filter, 1)).containsExactly("c5", "c4");
      assertThat(ids(filter, 2)).containsExactly("c3", "c2");
      assertThat(ids(filter, 3)).containsExactly("c1");
      assertThat(ids(filter, 4)).isEmpty();
      assertThat(ids(filter, Integer.MAX_VALUE)).isEmpty();
      assertThat(log.list(filter, 4, 2).total()).isEqualTo(5);
      assertThat(log.list(filter, 1, 2).totalPages()).isEqualTo(3);
    }
  }

  @Test
  void anEmptyLogHasNoPages() {
    assertThat(log.list(Filter.ALL, 1, 50)).isEqualTo(new Page<>(List.of(), 0, 1, 50));
    assertThat(log.list(Filter.ALL, 1, 50).totalPages()).isZero();
  }

  @Test
  void thereIsNoPageBeforeTheFirst() {
    assertThatThrownBy(() -> log.list(Filter.ALL, 0, 50))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Filter agent(String name) {
    return new Filter(null, name, null, null, null, null, null);
  }

  private static Filter status(ToolLedger.Status status) {
    return new Filter(null, null, null, status, null, null, null);
  }

  private static Filter between(@Nullable String from, @Nullable String to) {
    return new Filter(
        null,
        null,
        null,
        null,
        null,
        from == null ? null : Instant.parse(from),
        to == null ? null : Instant.parse(to));
  }

  private List<String> ids(Filter filter) {
    return log.list(filter, 1, 50).data().stream().map(entry -> entry.call().callId()).toList();
  }

  private List<String> ids(Filter filter, int page) {
    return log.list(filter, page, 2).data().stream().map(entry -> entry.call().callId()).toList();
  }
}
