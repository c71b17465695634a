package agentengine.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans to a collector with OTLP over HTTP, in batches and on a thread of its own. Spans hold
 * facts only: no text of a person, a model or a tool. This class and what is named after it are all
 * that know the library, so that it is loaded when somebody wants spans, and not before.
 */
public final class OtlpTracing implements Tracing {
  /** The one version of the semantic conventions that names and attributes follow. */
  public static final String SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0";

  private static final String SCOPE = "agent-engine";
  private static final int MAX_WAITING_SPANS = 4_096;
  private static final int BATCH = 512;
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
  private static final Duration SEND_LIMIT = Duration.ofSeconds(10);
  private static final long LAST_SEND_MILLIS = 1_000;

  /** It writes a stack trace for each failure; ours is a line now and then. */
  private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  /**
   * @param endpoint the whole address
   * @param headers sent with every request; they may be secrets
   */
  public OtlpTracing(
      URI endpoint, Map<String, String> headers, String serviceName, String version) {
    LIBRARY.setLevel(Level.OFF);
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(endpoint.toString())
            .setHeaders(() -> headers)
            .setCompression("gzip")
            .setConnectTimeout(CONNECT_LIMIT)
            .setTimeout(SEND_LIMIT)
            .setMeterProvider(MeterProvider::noop)
            .build();
    provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(
                                OtlpNames.SERVICE_NAME, serviceName,
                                OtlpNames.SERVICE_VERSION, version))))
            .addSpanProcessor(
                BatchSpanProcessor.builder(new OtlpLosses(exporter, endpoint.getAuthority()))
                    .setMaxQueueSize(MAX_WAITING_SPANS)
                    .setMaxExportBatchSize(BATCH)
                    .setScheduleDelay(PERIOD)
                    .setExporterTimeout(SEND_LIMIT)
                    .build())
            .build();
    tracer =
        provider
            .tracerBuilder(SCOPE)
            .setInstrumentationVersion(version)
            .setSchemaUrl(SCHEMA_URL)
            .build();
  }

  @Override
  public Span turn(
      String agent, String sessionId, int number, int attempt, @Nullable String taskId) {
    SpanBuilder span =
        tracer
            .spanBuilder("invoke_agent " + agent)
            .setSpanKind(SpanKind.INTERNAL)
            .setAttribute(OtlpNames.OPERATION, "invoke_agent")
            .setAttribute(OtlpNames.AGENT, agent)
            .setAttribute(OtlpNames.CONVERSATION, sessionId)
            .setAttribute(OtlpNames.TURN, (long) number)
            .setAttribute(OtlpNames.ATTEMPT, (long) attempt);
    if (taskId != null) {
      span.setAttribute(OtlpNames.TASK, taskId);
    }
    return begun(span);
  }

  @Override
  public Span modelCall(String provider, String model, String baseUrl) {
    SpanBuilder span =
        tracer
            .spanBuilder("chat " + model)
            .setSpanKind(SpanKind.CLIENT)
            .setAttribute(OtlpNames.OPERATION, "chat")
            .setAttribute(OtlpNames.PROVIDER, provider)
            .setAttribute(OtlpNames.MODEL, model);
    addServer(span, baseUrl);
    return begun(span);
  }

  /** Not every model has one: the simulator inside the engine is called by another scheme. */
  private static void addServer(SpanBuilder span, String baseUrl) {
    try {
      URI server = new URI(baseUrl);
      if (server.getHost() != null) {
        int usual = "http".equals(server.getScheme()) ? 80 : 443;
        span.setAttribute(OtlpNames.SERVER_ADDRESS, server.getHost())
            .setAttribute(
                OtlpNames.SERVER_PORT, (long) (server.getPort() < 0 ? usual : server.getPort()));
      }
    } catch (URISyntaxException _) {
      // The call itself will say what is wrong with it.
    }
  }

  @Override
  public Span toolCall(String tool, String callId) {
    return begun(
        tracer
            .spanBuilder("execute_tool " + tool)
            .setSpanKind(SpanKind.INTERNAL)
            .setAttribute(OtlpNames.OPERATION, "execute_tool")
            .setAttribute(OtlpNames.TOOL, tool)
            .setAttribute(OtlpNames.TOOL_CALL, callId)
            .setAttribute(OtlpNames.TOOL_TYPE, "function"));
  }

  private static Span begun(SpanBuilder span) {
    OtlpSpan parent = CurrentSpan.get() instanceof OtlpSpan current ? current : null;
    span.setParent(parent == null ? Context.root() : parent.context());
    return new OtlpSpan(span.startSpan(), parent);
  }

  @Override
  public void continued(@Nullable String traceparent, Runnable work) {
    Context named =
        W3CTraceContextPropagator.getInstance()
            .extract(Context.root(), traceparent, TraceparentOnly.HEADER);
    io.opentelemetry.api.trace.Span caller = io.opentelemetry.api.trace.Span.fromContext(named);
    if (caller.getSpanContext().isValid()) {
      CurrentSpan.run(new OtlpSpan(caller, null), work);
    } else {
      work.run();
    }
  }

  /** A request of which only that one header is known, which may be missing. */
  private enum TraceparentOnly implements TextMapGetter<@Nullable String> {
    HEADER;

    @Override
    public Iterable<String> keys(@Nullable String header) {
      return List.of("traceparent");
    }

    @Override
    public @Nullable String get(@Nullable String header, String key) {
      return key.equals("traceparent") ? header : null;
    }
  }

  @Override
  public void close() {
    provider.shutdown().join(LAST_SEND_MILLIS, TimeUnit.MILLISECONDS);
  }
}
