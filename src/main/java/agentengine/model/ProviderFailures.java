package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns what goes wrong with a provider into a failure whose message says what to change. */
final class ProviderFailures {
  static final int MAX_ERROR_BYTES = 64 * 1024;
  private static final int MAX_MESSAGE = 500;

  /** What providers call an error inside a stream that no second try would mend. */
  private static final Set<String> REFUSALS =
      Set.of(
          "invalid_request_error",
          "authentication_error",
          "permission_error",
          "not_found_error",
          "billing_error",
          "request_too_large",
          "invalid_api_key",
          "insufficient_quota",
          "context_length_exceeded",
          "INVALID_ARGUMENT",
          "FAILED_PRECONDITION",
          "UNAUTHENTICATED",
          "PERMISSION_DENIED",
          "NOT_FOUND");

  private ProviderFailures() {}

  /** An answer with the status of a failure. */
  static ModelException status(int status, byte[] body, UnaryOperator<@Nullable String> header) {
    JsonNode said = parsed(new String(body, StandardCharsets.UTF_8));
    String message = message(said, body);
    String hint =
        switch (status) {
          case 401, 403 -> "; check the model's api_key";
          case 404 -> "; check the model's base_url and model_name";
          default -> status / 100 == 3 ? "; redirects are not followed, check base_url" : "";
        };
    return new ModelException(
        mayPass(status) ? ModelException.Kind.UNAVAILABLE : ModelException.Kind.REFUSED,
        "the provider answered " + status + (message.isEmpty() ? "" : ": " + message) + hint,
        RetryAfter.of(header, said),
        null);
  }

  private static boolean mayPass(int status) {
    return status == 408 || status == 429 || status >= 500;
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
    JsonNode error = errorIn(parsed(new String(body, StandardCharsets.UTF_8)));
    return error.isObject() || error.isTextual()
        ? inStream(error)
        : new ModelException(
            ModelException.Kind.MALFORMED,
            "the provider did not stream its answer: check the model's type and base_url");
  }

  /** An error object that came inside a stream that had begun well. */
  static ModelException inStream(JsonNode error) {
    return new ModelException(
        isRefusal(error) ? ModelException.Kind.REFUSED : ModelException.Kind.UNAVAILABLE,
        "the provider reported an error: " + text(error));
  }

  /** Whether an error says, by a status or by its name, that asking again would not help. */
  private static boolean isRefusal(JsonNode error) {
    JsonNode code = error.path("code");
    if (code.isInt() || code.asText("").matches("[45]\\d\\d")) {
      return !mayPass(code.asInt());
    }
    return Stream.of("type", "code", "status")
        .anyMatch(name -> REFUSALS.contains(error.path(name).asText("")));
  }

  /** An answer that does not follow the provider's own protocol. */
  static ModelException malformed(Throwable e) {
    return malformed(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
  }

  static ModelException malformed(String what) {
    return new ModelException(
        ModelException.Kind.MALFORMED, "the provider's answer cannot be understood: " + what);
  }

  private static JsonNode parsed(String body) {
    try {
      return Json.parseForeign(body);
    } catch (IllegalArgumentException _) {
      return MissingNode.getInstance();
    }
  }

  /** The error in a body or a piece of one; it may be in a list, or be the whole itself. */
  static JsonNode errorIn(JsonNode body) {
    JsonNode object = body.isArray() ? body.path(0) : body;
    return object.path("object").asText("").equals("error") ? object : object.path("error");
  }

  /** What a provider's error body says, in whichever of the usual places. */
  private static String message(JsonNode body, byte[] raw) {
    if (body.isMissingNode() || body.isNull()) {
      String text = new String(raw, StandardCharsets.UTF_8);
      return text.stripLeading().startsWith("<") ? "" : shorten(text);
    }
    JsonNode error = errorIn(body);
    return text(error.isObject() || error.isTextual() ? error : body);
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
