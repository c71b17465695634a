package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalOnlyTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final List<String> USUAL = List.of("Host", "User-Agent", "Accept", "Origin");

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"})
  void aCallerOnLoopbackIsLetThrough(String peer) {
    allowed(InetAddress.ofLiteral(peer), "localhost:8080", null, USUAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"192.168.1.7", "10.0.0.1", "0.0.0.0", "::", "fe80::1", "::ffff:10.0.0.1"})
  void aCallerFromElsewhereIsNot(String peer) {
    refused(InetAddress.ofLiteral(peer), "localhost:8080", null, USUAL, "from another machine");
  }

  @Test
  void aCallerOfUnknownAddressIsNot() {
    refused(null, "localhost:8080", null, USUAL, "from another machine");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost:8080",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8080",
        "127.255.0.9",
        "[::1]",
        "[::1]:8080"
      })
  void theHostMayBeAnyLoopbackName(String host) {
    allowed(LOOPBACK, host, null, USUAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost.",
        "localhost.:8080",
        "localhost.evil.com",
        "evil.com",
        "evil.com:8080",
        "localhost:8080.evil.com",
        "localhost@evil.com",
        "127.0.0.1.nip.io",
        "127.0.0.256",
        "127.0.0",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "128.0.0.1",
        "::1",
        "[::]",
        "[::1",
        "[::2]:8080",
        "localhost:",
        "localhost:http",
        "localhost, evil.com",
        "evil localhost"
      })
  void anyOtherHostIsRefused(String host) {
    refused(LOOPBACK, host, null, USUAL, "the Host header");
  }

  @Test
  void aRequestWithoutHostIsRefused() {
    refused(LOOPBACK, null, null, USUAL, "the Host header");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:8080",
        "https://localhost",
        "http://127.0.0.1:3000",
        "http://[::1]:8080",
        "HTTP://LOCALHOST"
      })
  void aPageOfThisMachineIsLetThrough(String origin) {
    allowed(LOOPBACK, "localhost:8080", origin, USUAL);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "",
        "https://evil.com",
        "http://localhost.evil.com",
        "http://localhost.",
        "http://evil.com#localhost",
        "file://",
        "localhost:8080",
        "http://localhost:8080/",
        "chrome-extension://localhost",
        "http://localhost http://evil.com"
      })
  void anyOtherPageIsRefused(String origin) {
    refused(LOOPBACK, "localhost:8080", origin, USUAL, "the Origin header");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded",
        "X-Forwarded-For",
        "x-forwarded-proto",
        "X-FORWARDED-HOST",
        "X-Forwarded-Anything",
        "X-Real-IP",
        "x-real-ip",
        "Via",
        "via"
      })
  void whatCameThroughAProxyIsRefused(String header) {
    refused(LOOPBACK, "localhost:8080", null, List.of("Host", header), header);
  }

  private static void allowed(
      InetAddress peer, String host, @Nullable String origin, List<String> headers) {
    assertThatCode(() -> LocalOnly.check(peer, host, origin, headers)).doesNotThrowAnyException();
  }

  private static void refused(
      @Nullable InetAddress peer,
      @Nullable String host,
      @Nullable String origin,
      List<String> headers,
      String reason) {
    assertThatThrownBy(() -> LocalOnly.check(peer, host, origin, headers))
        .isInstanceOf(EngineException.class)
        .extracting(e -> ((EngineException) e).code())
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThatThrownBy(() -> LocalOnly.check(peer, host, origin, headers))
        .hasMessageContaining(reason)
        .hasMessageContaining("use an API token instead");
  }
}
