package agentengine.auth;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rule that keeps the local session local: it hands out admin, so neither another machine, nor
 * a proxy's clients, nor a web page that re-binds its DNS name may get it.
 */
public final class LocalOnly {
  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final String HOST =
      "(?:localhost|127(?:\\." + OCTET + "){3}|\\[::1])(?::[0-9]{1,5})?";
  private static final Pattern LOOPBACK_HOST = Pattern.compile(HOST, Pattern.CASE_INSENSITIVE);
  private static final Pattern LOOPBACK_ORIGIN =
      Pattern.compile("https?://" + HOST, Pattern.CASE_INSENSITIVE);

  private LocalOnly() {}

  /**
   * Refuses every caller that is not a program or page of this machine.
   *
   * @param headerNames the names of all headers of the request, in any case
   * @throws EngineException FORBIDDEN, with what gave the caller away
   */
  public static void check(
      @Nullable InetAddress peer,
      @Nullable String host,
      @Nullable String origin,
      Collection<String> headerNames) {
    if (peer == null || !peer.isLoopbackAddress()) {
      throw refuse("the request comes from another machine");
    }
    if (host == null || !LOOPBACK_HOST.matcher(host).matches()) {
      throw refuse("the Host header is not localhost, 127.0.0.1 or [::1]");
    }
    if (origin != null && !LOOPBACK_ORIGIN.matcher(origin).matches()) {
      throw refuse("the Origin header is not a page of this machine");
    }
    for (String name : headerNames) {
      if (isOfProxy(name)) {
        throw refuse("the header " + name + " says that the request came through a proxy");
      }
    }
  }

  private static boolean isOfProxy(String headerName) {
    String name = headerName.toLowerCase(Locale.ROOT);
    return name.equals("forwarded")
        || name.startsWith("x-forwarded")
        || name.equals("x-real-ip")
        || name.equals("via");
  }

  private static EngineException refuse(String reason) {
    return new EngineException(
        ErrorCode.FORBIDDEN,
        "a local session is only for callers on this machine, and "
            + reason
            + "; use an API token instead");
  }
}
