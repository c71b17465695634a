package agentengine.limit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The limits as one would explain them: for each key the instants of the requests that were let
 * through in its window, nothing else.
 */
final class WindowModel {
  private record Key(String rule, String key) {}

  private static final class Open {
    private final List<Long> requests = new ArrayList<>();
    private long end;
  }

  private final Map<Key, Open> windows = new HashMap<>();

  boolean count(List<Claim> claims, long now) {
    if (claims.stream().anyMatch(claim -> used(claim, now) >= claim.limit().requests())) {
      return false;
    }
    for (Claim claim : claims) {
      Key key = new Key(claim.rule(), claim.key());
      Open window = used(claim, now) == 0 ? new Open() : window(claim);
      windows.put(key, window);
      window.requests.add(now);
      window.end = window.requests.getFirst() + claim.limit().window().toMillis();
    }
    return true;
  }

  int used(Claim claim, long now) {
    return isOpen(claim, now) ? window(claim).requests.size() : 0;
  }

  /** When the window of the claim is over; that of an unused one would begin now. */
  long end(Claim claim, long now) {
    long length = claim.limit().window().toMillis();
    return isOpen(claim, now)
        ? Math.min(window(claim).end, window(claim).requests.getFirst() + length)
        : now + length;
  }

  private boolean isOpen(Claim claim, long now) {
    Open window = window(claim);
    return !window.requests.isEmpty()
        && now < window.end
        && now < window.requests.getFirst() + claim.limit().window().toMillis();
  }

  private Open window(Claim claim) {
    return windows.getOrDefault(new Key(claim.rule(), claim.key()), new Open());
  }
}
