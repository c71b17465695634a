package agentengine.tool;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Finds the addresses of a host and refuses forbidden ones. It looks at the very addresses that are
 * connected to, so neither an odd spelling nor a name that changes its mind gets past it.
 */
final class GuardedResolver implements DnsResolver {
  /** A host is at an address that must not be called. */
  static final class Forbidden extends UnknownHostException {
    Forbidden(String host) {
      super(host);
    }
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    InetAddress[] addresses = lookUp(host);
    for (InetAddress address : addresses) {
      if (ForbiddenAddresses.contains(address)) {
        throw new Forbidden(host);
      }
    }
    return addresses;
  }

  /** A look-up itself cannot be interrupted, waiting for one can. */
  private static InetAddress[] lookUp(String host) throws UnknownHostException {
    FutureTask<InetAddress[]> lookUp = new FutureTask<>(() -> InetAddress.getAllByName(host));
    Thread.ofVirtual().name("dns").start(lookUp);
    try {
      return lookUp.get();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    } catch (ExecutionException e) {
      UnknownHostException failure = new UnknownHostException(host);
      failure.initCause(e.getCause());
      throw failure;
    }
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
