package agentengine.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * The connections on which declared tools are called: blocking on the calling virtual thread, kept
 * open between calls, bounded, and never to a forbidden address. Made when first used.
 */
public final class OutboundHttp implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 200;
  private static final int MAX_CONNECTIONS_PER_HOST = 50;
  private static final int MAX_HEADERS = 200;
  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int CONNECT_SECONDS = 30;
  private static final int IDLE_SECONDS = 60;

  private final String userAgent;
  private @Nullable CloseableHttpClient client;
  private boolean closed;

  public OutboundHttp(String userAgent) {
    this.userAgent = userAgent;
  }

  synchronized CloseableHttpClient client() {
    if (closed) {
      throw new IllegalStateException("the engine is closing");
    }
    if (client == null) {
      client = build();
    }
    return client;
  }

  private CloseableHttpClient build() {
    return HttpClients.custom()
        .setConnectionManager(
            PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new GuardedResolver())
                .setConnectionFactory(
                    ManagedHttpClientConnectionFactory.builder()
                        .http1Config(
                            Http1Config.custom()
                                .setMaxLineLength(MAX_HEADER_BYTES)
                                .setMaxHeaderCount(MAX_HEADERS)
                                .build())
                        .build())
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS_PER_HOST)
                .setDefaultConnectionConfig(
                    ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT_SECONDS, TimeUnit.SECONDS)
                        .setIdleTimeout(IDLE_SECONDS, TimeUnit.SECONDS)
                        // A call is not sent twice, so it must not meet a dead connection.
                        .setValidateAfterInactivity(TimeValue.ZERO_MILLISECONDS)
                        .build())
                .build())
        .setUserAgent(userAgent)
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableConnectionState()
        .build();
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      if (client != null) {
        client.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
