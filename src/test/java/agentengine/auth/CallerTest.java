package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallerTest {
  @Test
  void theScopesHaveTheNamesOfTheContract() {
    assertThat(Scope.wireNames())
        .containsExactly(
            "chat",
            "tasks",
            "agents:read",
            "agents:write",
            "models:read",
            "models:write",
            "mcp:read",
            "mcp:write",
            "config",
            "admin");
  }

  @Test
  void aNameOfNoScopeFindsNone() {
    assertThat(Scope.find("agents:read")).isEqualTo(Scope.AGENTS_READ);
    assertThat(Scope.find("AGENTS:READ")).isNull();
    assertThat(Scope.find("")).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void adminMayDoEverything(Scope scope) {
    assertThat(Caller.ofSubject("root", Set.of(Scope.ADMIN)).has(scope)).isTrue();
  }

  @Test
  void othersMayDoOnlyWhatTheirScopesSay() {
    Caller caller = Caller.ofSubject("alice", Set.of(Scope.CHAT, Scope.TASKS));

    assertThat(Stream.of(Scope.values()).filter(caller::has))
        .containsExactly(Scope.CHAT, Scope.TASKS);
    assertThat(caller.isAdmin()).isFalse();
  }

  @Test
  void aSubjectIsItsOwnIdAndATokenIsMarkedAsOne() {
    assertThat(Caller.ofSubject("local-admin", Set.of()).id()).isEqualTo("local-admin");
    assertThat(Caller.ofToken("42", Set.of()).id()).isEqualTo("token:42");
    assertThat(Caller.ofToken("42", Set.of()).isApiToken()).isTrue();
    assertThat(Caller.ofSubject("local-admin", Set.of()).isApiToken()).isFalse();
  }

  @Test
  void noSubjectIsTheIdOfAnotherCaller() {
    List<String> subjects =
        List.of(
            "42",
            "token:42",
            "user:42",
            "user:token:42",
            "user:user:42",
            "engine:start",
            "user:engine:start");

    List<String> ids =
        Stream.concat(
                subjects.stream().map(subject -> Caller.ofSubject(subject, Set.of())),
                Stream.of(Caller.ofToken("42", Set.of()), Caller.ENGINE_START))
            .map(Caller::id)
            .toList();

    assertThat(ids).doesNotHaveDuplicates();
    assertThat(Caller.ofSubject("token:42", Set.of()).isApiToken()).isFalse();
  }
}
