package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that somebody is not let in and is told one of the four reasons and no more. */
final class Refused {
  private Refused() {}

  static void with(Refusal reason, ThrowingCallable attempt) {
    EngineException refusal = catchThrowableOfType(EngineException.class, attempt);

    assertThat(refusal).as("refused with %s", reason).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
    assertThat(refusal).hasMessage(reason.exception().reason()).hasNoCause();
  }
}
