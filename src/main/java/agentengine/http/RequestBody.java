package agentengine.http;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.time.Watchdog;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request's body, with limits on its size and on the time it may take to come. */
final class RequestBody {
  private static final List<String> JSON = List.of("application/json");
  private static final List<String> YAML =
      List.of("application/x-yaml", "application/yaml", "text/yaml");
  private static final int MAX_BYTES = 1024 * 1024;
  private static final Duration MAX_TIME = Duration.ofSeconds(30);
  // A client that is still sending reads its answer only if somebody takes what it sends.
  private static final int MAX_UNREAD_BYTES = 11 * MAX_BYTES;
  private static final Duration MAX_UNREAD_TIME = Duration.ofSeconds(5);

  private final ServerRequest request;
  private final Watchdog watchdog;
  private @Nullable InputStream in;
  private boolean broken;

  RequestBody(ServerRequest request, Watchdog watchdog) {
    this.request = request;
    this.watchdog = watchdog;
  }

  JsonNode json() {
    requireType(JSON, "JSON");
    return Json.parseRequest(bytes());
  }

  /** The bytes of a YAML document. */
  byte[] yaml() {
    requireType(YAML, "YAML");
    return bytes();
  }

  /** A body whose type is not said is taken for what is expected. */
  private void requireType(List<String> types, String name) {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse(types.getFirst());
    String[] parts = type.strip().toLowerCase(Locale.ROOT).split(";", 2);
    boolean utf8 =
        parts.length == 1
            || !parts[1].contains("charset")
            || parts[1].replace("\"", "").replace(" ", "").contains("charset=utf-8");
    if (!types.contains(parts[0].strip()) || !utf8) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "the body must be "
              + name
              + " in UTF-8: send Content-Type: "
              + String.join(" or ", types));
    }
  }

  private byte[] bytes() {
    if (length() > MAX_BYTES) {
      throw tooLarge();
    }
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    // Out of time, the watch closes the connection: there is nobody left to answer to.
    try (Watchdog.Watch _ = watchdog.watch(MAX_TIME)) {
      byte[] body = stream().readNBytes(MAX_BYTES + 1);
      if (body.length > MAX_BYTES) {
        throw tooLarge();
      }
      return body;
    } catch (RequestException e) {
      broken = true;
      throw e.status().equals(Status.REQUEST_ENTITY_TOO_LARGE_413) ? tooLarge() : malformed();
    } catch (NumberFormatException _) {
      broken = true;
      throw malformed();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the connection is of no use any more: nobody will find where the next request is. */
  boolean spoilsConnection() {
    return broken
        || (!request.content().consumed() && (length() > MAX_UNREAD_BYTES || isHeldBack()));
  }

  /**
   * Takes what nobody read, so that the next request begins at its own first byte.
   *
   * @return false when the body has no end that is worth waiting for
   */
  boolean discardRest() {
    if (spoilsConnection()) {
      return false;
    }
    if (request.content().consumed()) {
      return true;
    }
    try (Watchdog.Watch _ = watchdog.watch(MAX_UNREAD_TIME)) {
      return stream().skip(MAX_UNREAD_BYTES) < MAX_UNREAD_BYTES;
    } catch (IOException | RuntimeException _) {
      return false;
    }
  }

  /** The client waits to be told to send the body, which nobody did. */
  private boolean isHeldBack() {
    return in == null && request.headers().contains(HeaderValues.EXPECT_100);
  }

  private long length() {
    return request.headers().contentLength().orElse(0);
  }

  /** Never closed: that would read on. */
  private InputStream stream() {
    if (in == null) {
      in = request.content().inputStream();
    }
    return in;
  }

  private static EngineException malformed() {
    return EngineException.badRequest("the body's chunks cannot be read, or end with trailers");
  }

  private static EngineException tooLarge() {
    return new EngineException(
        ErrorCode.PAYLOAD_TOO_LARGE, "the body has more than " + MAX_BYTES + " bytes");
  }
}
