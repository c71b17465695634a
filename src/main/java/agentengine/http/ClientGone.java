package agentengine.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.socket.SocketWriterException;
import io.helidon.webserver.ServerConnectionException;
import java.net.SocketException;

/** Tells the end of a connection from a failure of ours. */
final class ClientGone {
  private ClientGone() {}

  static boolean isCauseOf(Throwable failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof ServerConnectionException
          || e instanceof SocketWriterException
          || e instanceof SocketException
          || e instanceof InterruptedException
          || e instanceof DataReader.InsufficientDataAvailableException) {
        return true;
      }
    }
    return false;
  }
}
