package agentengine.tool;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.utils.URIUtils;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/** One call of a declared tool: the request, the redirects it meets, and what its answer means. */
final class HttpCall {
  static final int MAX_ANSWER_BYTES = 1024 * 1024;
  private static final int MAX_ERROR_BYTES = 4 * 1024;
  private static final int MAX_REDIRECTS = 3;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Set<String> WITHOUT_BODY = Set.of("GET", "DELETE");

  /** What is sent. */
  record Request(
      String method,
      URI uri,
      Map<String, Secret> headers,
      @Nullable ObjectNode body,
      @Nullable String idempotencyKey,
      Duration limit) {

    static Request of(
        ToolSpec.Call call,
        ObjectNode arguments,
        Map<String, Secret> headers,
        @Nullable String idempotencyKey,
        Duration limit)
        throws ToolFailure {
      String url = call.url().fill(arguments);
      ObjectNode rest = arguments.deepCopy();
      rest.remove(call.url().places());
      boolean inQuery = WITHOUT_BODY.contains(call.method());
      return new Request(
          call.method(),
          URI.create(inQuery ? withQuery(url, rest) : url),
          headers,
          inQuery ? null : rest,
          idempotencyKey,
          limit);
    }

    private static String withQuery(String url, ObjectNode rest) {
      List<String> pairs = new ArrayList<>();
      for (Map.Entry<String, JsonNode> entry : rest.properties()) {
        Iterable<JsonNode> values =
            entry.getValue().isArray() ? entry.getValue() : List.of(entry.getValue());
        for (JsonNode value : values) {
          if (!value.isNull()) {
            pairs.add(
                UrlTemplate.encode(entry.getKey())
                    + "="
                    + UrlTemplate.encode(UrlTemplate.words(value)));
          }
        }
      }
      String separator = url.indexOf('?') < 0 ? "?" : url.endsWith("?") ? "" : "&";
      return pairs.isEmpty() ? url : url + separator + String.join("&", pairs);
    }

    Request redirected(int status, URI target) {
      boolean asGet = status == 303 || (method.equals("POST") && (status == 301 || status == 302));
      return new Request(
          asGet ? "GET" : method, target, headers, asGet ? null : body, idempotencyKey, limit);
    }
  }

  private final OutboundHttp http;
  private final SecretMask mask;

  HttpCall(OutboundHttp http, SecretMask mask) {
    this.http = http;
    this.mask = mask;
  }

  JsonNode run(Request first) throws IOException, ToolFailure {
    Request request = first;
    for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      HttpUriRequestBase message = message(request);
      ClassicHttpResponse response = http.client().executeOpen(null, message, null);
      try {
        int status = response.getCode();
        if (!REDIRECTS.contains(status)) {
          return answer(response);
        }
        request = request.redirected(status, target(request.uri(), response));
      } finally {
        leave(message, response);
      }
    }
    throw new ToolFailure("the server redirects more than " + MAX_REDIRECTS + " times");
  }

  /** Ends the connection unless the whole body was read; closing alone would read the rest. */
  private static void leave(HttpUriRequestBase message, ClassicHttpResponse response) {
    message.abort();
    try {
      response.close();
    } catch (IOException _) {
      // It complains of the connection that was just ended.
    }
  }

  private static HttpUriRequestBase message(Request request) {
    HttpUriRequestBase message = new HttpUriRequestBase(request.method(), request.uri());
    message.setConfig(
        RequestConfig.custom()
            .setResponseTimeout(Timeout.of(request.limit()))
            .setConnectionRequestTimeout(Timeout.of(request.limit()))
            .setProtocolUpgradeEnabled(false)
            .setAuthenticationEnabled(false)
            .build());
    message.setHeader("Accept", "application/json, text/*;q=0.9, */*;q=0.5");
    if (request.body() != null) {
      message.setEntity(
          new ByteArrayEntity(Json.writeBytes(request.body()), ContentType.APPLICATION_JSON));
    }
    request.headers().forEach((name, value) -> message.setHeader(name, value.reveal()));
    if (request.idempotencyKey() != null) {
      message.setHeader("Idempotency-Key", request.idempotencyKey());
    }
    return message;
  }

  private URI target(URI from, ClassicHttpResponse response) throws ToolFailure {
    Header location = response.getFirstHeader("Location");
    if (location == null) {
      throw new ToolFailure("the server redirects without saying where to");
    }
    try {
      URI target = URIUtils.resolve(from, new URI(location.getValue()));
      if (origin(from).equals(origin(target)) && target.getRawUserInfo() == null) {
        return target;
      }
    } catch (URISyntaxException _) {
      // Told with the others.
    }
    throw new ToolFailure(
        mask.apply(
            "the server redirects to "
                + AnswerBody.clean(location.getValue())
                + ", and a tool follows only within its own host"));
  }

  private static String origin(URI uri) {
    int port = uri.getPort();
    int standard = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    return (uri.getScheme() + "://" + uri.getHost()).toLowerCase(Locale.ROOT)
        + ":"
        + (port < 0 ? standard : port);
  }

  private JsonNode answer(ClassicHttpResponse response) throws IOException, ToolFailure {
    boolean failed = response.getCode() >= 400;
    HttpEntity entity = response.getEntity();
    ContentType type = entity == null ? null : ContentType.parseLenient(entity.getContentType());
    int limit = failed ? MAX_ERROR_BYTES : MAX_ANSWER_BYTES;
    byte[] body = entity == null ? new byte[0] : read(entity.getContent(), limit + 1);
    if (failed) {
      throw new ToolFailure(failure(response, body, type));
    }
    if (body.length > MAX_ANSWER_BYTES) {
      throw new ToolFailure("the server answers with more than 1 MiB");
    }
    return AnswerBody.value(mask.apply(AnswerBody.text(body, type)), type);
  }

  // Not closed here: that would read the rest, however long.
  private static byte[] read(@Nullable InputStream in, int limit) throws IOException {
    return in == null ? new byte[0] : in.readNBytes(limit);
  }

  private String failure(ClassicHttpResponse response, byte[] body, @Nullable ContentType type) {
    String phrase = response.getReasonPhrase();
    String status = response.getCode() + (phrase == null || phrase.isBlank() ? "" : " " + phrase);
    String text = AnswerBody.text(body, type).strip();
    return mask.apply(
        "the server answers "
            + status
            + (text.isEmpty() ? "" : ": " + text)
            + (body.length > MAX_ERROR_BYTES ? "…" : ""));
  }
}
