package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Turns what goes wrong with a provider into a failure whose message says what to change. */
final class ProviderFailures {
  static final int MAX_ERROR_BYTES = 64 * 1024;
  private static final int MAX_MESSAGE = 500;

  private ProviderFailures() {}

  static ModelException status(int status, byte[] body, @Nullable Duration retryAfter) {
    String said = message(new String(body, StandardCharsets.UTF_8));
    ModelException.Kind kind =
        status == 408 || status == 429 || status >= 500
            ? ModelException.Kind.UNAVAILABLE
            : ModelException.Kind.REFUSED;
    String hint =
        switch (status) {
          case 401, 403 -> "; check the model's api_key";
          case 404 -> "; check the model's base_url and model_name";
          default -> status / 100 == 3 ? "; redirects are not followed, check base_url" : "";
        };
    return new ModelException(
        kind,
        "the provider answered " + status + (said.isEmpty() ? "" : ": " + said) + hint,
        retryAfter,
        null);
  }

  static ModelException connection(String url, IOException e) {
    String where = "the provider at " + origin(url);
    if (e instanceof SocketTimeoutException) {
      return new ModelException(
          ModelException.Kind.TIMEOUT, where + " did not take the connection in time", null, e);
    }
    String why =
        switch (e) {
          case UnknownHostException _ -> " has a name that does not resolve; check base_url";
          case ConnectException _ -> " refuses the connection; is it running?";
          default -> " broke the connection";
        };
    return new ModelException(ModelException.Kind.CONNECTION, where + why, null, e);
  }

  /** A whole JSON body where a stream was asked for. */
  static ModelException unstreamed(byte[] body) {
    try {
      JsonNode error = Json.parse(new String(body, StandardCharsets.UTF_8)).path("error");
      if (error.isObject() || error.isTextual()) {
        return inStream(error);
      }
    } catch (UncheckedIOException _) {
      // Not JSON after all.
    }
    return new ModelException(
        ModelException.Kind.MALFORMED,
        "the provider did not stream its answer: check that base_url is an OpenAI-compatible API");
  }

  /** An error object that came inside a stream that had begun well. */
  static ModelException inStream(JsonNode error) {
    return new ModelException(
        ModelException.Kind.UNAVAILABLE, "the provider reported an error: " + text(error));
  }

  /** An answer that does not follow the provider's own protocol. */
  static ModelException malformed(Throwable e) {
    return new ModelException(
        ModelException.Kind.MALFORMED,
        "the provider's answer cannot be understood: "
            + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
        null,
        e);
  }

  /** What a provider's error body says, in whichever of the usual places. */
  private static String message(String body) {
    try {
      JsonNode json = Json.parse(body);
      return json == null ? "" : text(json.has("error") ? json.get("error") : json);
    } catch (UncheckedIOException _) {
      return body.stripLeading().startsWith("<") ? "" : shorten(body);
    }
  }

  private static String text(JsonNode error) {
    return shorten(
        error.path("message").isTextual()
            ? error.path("message").asText()
            : error.isTextual() ? error.asText() : error.toString());
  }

  /** Cut only between words: a provider may repeat a key, and a part of one is not masked. */
  private static String shorten(String text) {
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() <= MAX_MESSAGE
        ? line
        : line.substring(0, Math.max(0, line.lastIndexOf(' ', MAX_MESSAGE))) + "…";
  }

  /** Scheme, host and port: the rest of an address may hold a key. */
  private static String origin(String url) {
    URI uri = URI.create(url);
    return uri.getScheme() + "://" + uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
  }
}
