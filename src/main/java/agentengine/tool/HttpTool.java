package agentengine.tool;

import agentengine.model.ToolDefinition;
import agentengine.secret.Secret;
import agentengine.time.Durations;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.jspecify.annotations.Nullable;

/** A declared tool that can be called. */
final class HttpTool implements Tool {
  /** Longer than any call may take: the caller's own limit ends it before. */
  private static final Duration NO_LIMIT_OF_ITS_OWN = Duration.ofMinutes(10);

  private final ToolSpec spec;
  private final OutboundHttp http;
  private final UnaryOperator<@Nullable String> environment;
  private final ArgumentRules rules;

  HttpTool(ToolSpec spec, OutboundHttp http, UnaryOperator<@Nullable String> environment) {
    this.spec = spec;
    this.http = http;
    this.environment = environment;
    this.rules = new ArgumentRules(spec.parameters());
  }

  @Override
  public ToolDefinition definition() {
    return new ToolDefinition(spec.name(), spec.description(), spec.parameters());
  }

  @Override
  public Effect effect() {
    return spec.effect();
  }

  @Override
  public boolean confirmBefore() {
    return spec.confirmBefore();
  }

  @Override
  public @Nullable Duration timeout() {
    return spec.timeout();
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    return rules.problem(arguments);
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments)
      throws ToolFailure, InterruptedException {
    Map<String, Secret> headers = new LinkedHashMap<>();
    for (Map.Entry<String, HeaderValue> header : spec.call().headers().values().entrySet()) {
      headers.put(header.getKey(), header.getValue().resolve(environment));
    }
    HttpCall.Request request =
        HttpCall.Request.of(
            spec.call(),
            arguments,
            headers,
            spec.effect() == Effect.IDEMPOTENT ? callId : null,
            spec.timeout() == null ? NO_LIMIT_OF_ITS_OWN : spec.timeout());
    SecretMask mask = new SecretMask(headers);
    try {
      return new HttpCall(http, mask).run(request);
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      // Without its cause, whose message may hold anything.
      throw new ToolFailure(mask.apply(reason(e, request.uri())));
    }
  }

  private String reason(IOException e, URI uri) {
    String host = Optional.ofNullable(uri.getHost()).orElse("");
    return switch (e) {
      case GuardedResolver.Forbidden _ ->
          host + " is at a link-local, metadata or multicast address, which tools may not call";
      case UnknownHostException _ -> "the host " + host + " cannot be found";
      case HttpHostConnectException _ ->
          "no connection to " + uri.getAuthority() + ": it is refused";
      case SocketTimeoutException _ ->
          uri.getAuthority()
              + " did not answer "
              + (spec.timeout() == null ? "in time" : "within " + Durations.format(spec.timeout()))
              + "; whether the call took effect is unknown";
      case SSLException _ ->
          "no secure connection to " + uri.getAuthority() + ": " + e.getMessage();
      default -> "the connection to " + uri.getAuthority() + " failed: " + e.getMessage();
    };
  }
}
