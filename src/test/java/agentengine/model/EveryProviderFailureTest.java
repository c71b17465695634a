package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.model.Dialect.Piece;
import agentengine.testing.FakeServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What goes wrong with every kind of provider, each in its own words. */
class EveryProviderFailureTest {
  private static final String TRY_NOW = "Retry-After: 0";

  @ParameterizedTest
  @EnumSource
  void a_key_that_is_wrong_is_said_once_and_not_shown(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.refusal(401, "no, " + ModelCaller.KEY + " is not a key"))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("401").contains("is not a key").contains("api_key");
      assertThat(all(failure)).doesNotContain(ModelCaller.KEY);
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_busy_provider_is_asked_again_after_the_pause_it_wants(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.refusal(429, "slowly", TRY_NOW), dialect.saying("Now"))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.good().text()).isEqualTo("Now");
      assertThat(provider.requests()).hasSize(2);
      assertThat(provider.requests().getLast().body())
          .isEqualTo(provider.requests().getFirst().body());
    }
  }

  @Test
  void the_pause_is_as_long_as_it_says() {
    Dialect dialect = Dialect.of(ProviderKind.ANTHROPIC);
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.refusal(429, "slowly", "retry-after: 1"), dialect.saying("Now"))) {
      long start = System.nanoTime();

      assertThat(provider.ask().good().text()).isEqualTo("Now");
      // A pause cannot be too short, however slow the machine: the usual one is a quarter of this.
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void a_pause_may_be_said_as_the_time_of_its_end() {
    Dialect dialect = Dialect.of(ProviderKind.OPENROUTER);
    String clock = "Date: Wed, 21 Oct 2026 07:28:00 GMT";
    try (FakeProvider over =
            FakeProvider.answering(
                dialect,
                dialect.refusal(429, "slowly", clock, "Retry-After: Wed, 21 Oct 2026 07:27:59 GMT"),
                dialect.saying("Now"));
        FakeProvider endless =
            FakeProvider.answering(
                dialect,
                dialect.refusal(
                    429, "slowly", clock, "Retry-After: Fri, 23 Oct 2026 07:28:00 GMT"))) {
      assertThat(over.ask().good().text()).isEqualTo("Now");
      assertThat(endless.ask().bad().retryAfter()).isEqualTo(Duration.ofDays(2));
      assertThat(endless.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_provider_that_stays_broken_is_given_up_after_three_tries(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.answering(dialect, dialect.refusal(500, "all is lost", TRY_NOW))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
      assertThat(failure.reason()).contains("500").contains("all is lost");
      assertThat(provider.requests()).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_error_after_some_text_ends_the_answer(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect,
            FakeServer.ok(dialect.contentType())
                + dialect.begun(new Piece.Text("Half"))
                + dialect.errorInStream(503, "out of luck, " + ModelCaller.KEY))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
      assertThat(outcome.bad().reason()).contains("out of luck");
      assertThat(all(outcome.bad())).doesNotContain(ModelCaller.KEY);
      assertThat(outcome.heard()).containsExactly("text Half");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void an_error_before_any_text_is_worth_another_try() {
    eachAtOnce(
        dialect ->
            FakeProvider.answering(
                dialect,
                FakeServer.ok(dialect.contentType())
                    + dialect.begun()
                    + dialect.errorInStream(503, "one moment"),
                dialect.saying("Here")),
        (provider, outcome) -> {
          assertThat(outcome.good().text()).isEqualTo("Here");
          assertThat(provider.requests()).hasSize(2);
        });
  }

  @Test
  void one_that_stops_in_the_middle_is_left() {
    ModelLimits hasty =
        new ModelLimits(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofMillis(300));
    eachAtOnce(
        dialect ->
            FakeProvider.fallingSilent(
                dialect,
                FakeServer.ok(dialect.contentType()) + dialect.begun(new Piece.Text("Half")),
                hasty),
        (provider, outcome) -> {
          assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.TIMEOUT);
          assertThat(outcome.heard()).containsExactly("text Half");
          assertThat(outcome.leftInterrupted()).isFalse();
          assertThat(provider.requests()).hasSize(1);
        });
  }

  @ParameterizedTest
  @EnumSource
  void a_cancelled_call_ends(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.fallingSilent(
            dialect,
            FakeServer.ok(dialect.contentType()) + dialect.begun(new Piece.Text("Half")),
            ModelCaller.LIMITS)) {
      ModelCaller.Running call = provider.begin();
      call.awaitFirstPiece();
      call.cancel();

      assertThat(call.outcome().bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
      assertThat(call.outcome().leftInterrupted()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_is_cut_is_not_taken_for_a_whole_one(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    String half = dialect.begun(new Piece.Text("Half"));
    for (String head :
        List.of(FakeServer.ok(dialect.contentType()), FakeServer.cutShort(dialect.contentType()))) {
      try (FakeProvider provider = FakeProvider.answering(dialect, head + half)) {
        ModelCaller.Outcome outcome = provider.ask();

        assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CONNECTION);
        assertThat(outcome.heard()).containsExactly("text Half");
        assertThat(provider.requests()).hasSize(1);
      }
    }
  }

  @Test
  void a_tool_call_that_is_cut_is_never_made() {
    eachAtOnce(
        dialect -> {
          String whole = dialect.begun(new Piece.Text("Half"), new Piece.Calls(List.of(Talk.OSLO)));
          return FakeProvider.answering(dialect, FakeServer.ok(dialect.contentType()) + whole);
        },
        (_, outcome) -> assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CONNECTION));
  }

  @ParameterizedTest
  @EnumSource
  void a_web_page_is_some_other_server(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider =
        FakeProvider.answering(dialect, FakeServer.ok("text/html") + "<html>\nHello\n</html>\n")) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("web page").contains("base_url");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void an_error_with_a_status_of_success_says_what_it_says() {
    eachAtOnce(
        dialect ->
            FakeProvider.answering(
                dialect,
                FakeServer.ok("application/json")
                    + dialect.error(400, "no such model " + ModelCaller.KEY)
                    + "\n"),
        (_, outcome) -> {
          assertThat(outcome.bad().reason()).contains("no such model");
          assertThat(all(outcome.bad())).doesNotContain(ModelCaller.KEY);
          assertThat(outcome.heard()).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_json_is_malformed_and_not_shown(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    String mark = kind == ProviderKind.OLLAMA ? "" : "data: ";
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect,
            FakeServer.ok(dialect.contentType())
                + dialect.begun(new Piece.Text("Half"))
                + mark
                + "{\""
                + ModelCaller.KEY
                + "\n\n"
                + dialect.end(false))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(all(failure)).doesNotContain(ModelCaller.KEY);
    }
  }

  private interface Check {
    void accept(FakeProvider provider, ModelCaller.Outcome outcome);
  }

  /** Calls that have to wait for something wait together. */
  private static void eachAtOnce(Function<Dialect, FakeProvider> start, Check check) {
    record Started(ProviderKind kind, FakeProvider provider, ModelCaller.Running call) {}
    List<Started> all = new ArrayList<>();
    try {
      for (ProviderKind kind : ProviderKind.values()) {
        FakeProvider provider = start.apply(Dialect.of(kind));
        all.add(new Started(kind, provider, provider.begin()));
      }
      assertThat(all).allSatisfy(one -> check.accept(one.provider(), one.call().outcome()));
    } finally {
      all.forEach(one -> one.provider().close());
    }
  }

  /** The failure with all its causes, as a log would show it. */
  private static String all(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
