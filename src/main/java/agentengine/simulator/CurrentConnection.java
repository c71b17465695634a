package agentengine.simulator;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;

/** Remembers the connection whose request the current thread handles: a handler is not told. */
final class CurrentConnection implements Http1ConnectionListener {
  /** A connection has its own virtual thread for all its life, so nothing is ever mixed up. */
  private static final ThreadLocal<DataReader> READER = new ThreadLocal<>();

  static DataReader reader() {
    return READER.get();
  }

  @Override
  public void prologue(ConnectionContext context, HttpPrologue prologue) {
    READER.set(context.dataReader());
  }
}
