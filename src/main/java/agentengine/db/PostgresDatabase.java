package agentengine.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL through a pool; several nodes may share it. */
public final class PostgresDatabase implements Database {
  private static final int CONNECTIONS = 16;
  private static final int CONNECT_TIMEOUT_MILLIS = 10_000;
  private static final int STATEMENT_TIMEOUT_SECONDS = 30;

  private final HikariDataSource pool;
  private final Jdbi jdbi;
  private final Timer commitTime;

  private PostgresDatabase(HikariDataSource pool, MeterRegistry meters) {
    this.pool = pool;
    this.jdbi = QuietJdbi.create(pool);
    this.commitTime = CommitTime.timer(meters);
  }

  /** Connects to {@code postgresql://user:password@host:port/database} and migrates it. */
  public static PostgresDatabase open(URI url, MeterRegistry meters) {
    if (url.getHost() == null || url.getRawPath() == null || url.getRawPath().length() < 2) {
      throw new StoreUnavailable(
          "the database URL names no host or no database;"
              + " it must be like postgresql://user:password@host:port/database");
    }
    HikariConfig config = new HikariConfig();
    config.setDataSource(source(url));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(2);
    config.setConnectionTimeout(CONNECT_TIMEOUT_MILLIS);
    config.setInitializationFailTimeout(CONNECT_TIMEOUT_MILLIS);
    config.setPoolName("postgres");
    HikariDataSource pool;
    try {
      pool = new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StoreUnavailable(
          "the database at " + where(url) + " cannot be reached: " + cause.getMessage(), e);
    }
    try {
      Migrations.postgres(pool);
      return new PostgresDatabase(pool, meters);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  static PGSimpleDataSource source(URI url) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    // The driver reads its own query parameters, such as sslmode; user and password it wants apart.
    source.setURL(
        "jdbc:postgresql://"
            + where(url)
            + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery()));
    String userInfo = url.getRawUserInfo();
    if (userInfo != null) {
      int colon = userInfo.indexOf(':');
      source.setUser(decode(colon < 0 ? userInfo : userInfo.substring(0, colon)));
      if (colon >= 0) {
        source.setPassword(decode(userInfo.substring(colon + 1)));
      }
    }
    source.setTcpKeepAlive(true);
    source.setConnectTimeout(CONNECT_TIMEOUT_MILLIS / 1000);
    source.setSocketTimeout(2 * STATEMENT_TIMEOUT_SECONDS);
    source.setApplicationName("agent-engine");
    source.setLogServerErrorDetail(false); // the detail repeats values
    source.setOptions("-c statement_timeout=" + STATEMENT_TIMEOUT_SECONDS * 1000);
    return source;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  static String where(URI url) {
    String port = url.getPort() < 0 ? "" : ":" + url.getPort();
    return url.getHost() + port + url.getRawPath();
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    return Uninterrupted.call(() -> jdbi.withHandle(work::run));
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    long start = System.nanoTime();
    T value = Uninterrupted.call(() -> jdbi.inTransaction(work::run));
    commitTime.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    return value;
  }

  @Override
  public void lock(Handle handle, String name) {
    handle
        .createQuery("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtext(:name))) AS held")
        .bind("name", name)
        .mapTo(Integer.class)
        .one();
  }

  @Override
  public boolean shared() {
    return true;
  }

  @Override
  public void close() {
    pool.close();
  }
}
