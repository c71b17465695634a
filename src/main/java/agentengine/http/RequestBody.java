package agentengine.http;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.time.Watchdog;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;

/** Reads a request's body, with a limit on its size and on the time it may take to come. */
final class RequestBody {
  private static final int MAX_BYTES = 1024 * 1024;
  private static final Duration MAX_TIME = Duration.ofSeconds(30);

  private RequestBody() {}

  static JsonNode json(ServerRequest request, Watchdog watchdog) {
    requireJson(request);
    return Json.parseRequest(bytes(request, watchdog));
  }

  private static void requireJson(ServerRequest request) {
    String type =
        request.headers().first(HeaderNames.CONTENT_TYPE).orElse("application/json").strip();
    String[] parts = type.toLowerCase(Locale.ROOT).split(";", 2);
    boolean utf8 =
        parts.length == 1
            || !parts[1].contains("charset")
            || parts[1].replace("\"", "").replace(" ", "").contains("charset=utf-8");
    if (!parts[0].strip().equals("application/json") || !utf8) {
      throw new EngineException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "the body must be JSON in UTF-8: send Content-Type: application/json");
    }
  }

  private static byte[] bytes(ServerRequest request, Watchdog watchdog) {
    if (request.headers().contentLength().orElse(0) > MAX_BYTES) {
      throw tooLarge();
    }
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (Watchdog.Watch watch = watchdog.watch(MAX_TIME);
        InputStream in = request.content().inputStream()) {
      byte[] body = read(in, watch);
      if (body.length > MAX_BYTES) {
        throw tooLarge();
      }
      return body;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(InputStream in, Watchdog.Watch watch) throws IOException {
    try {
      return in.readNBytes(MAX_BYTES + 1);
    } catch (RuntimeException e) {
      if (watch.ending() != null) {
        throw EngineException.badRequest(
            "the body did not arrive within " + MAX_TIME.toSeconds() + " s");
      }
      throw e;
    }
  }

  private static EngineException tooLarge() {
    return new EngineException(
        ErrorCode.PAYLOAD_TOO_LARGE, "the body has more than " + MAX_BYTES + " bytes");
  }
}
