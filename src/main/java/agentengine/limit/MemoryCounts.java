package agentengine.limit;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts in the memory of the only node. Each key has a lock of its own, held for an instant, so
 * that requests of different keys do not meet.
 *
 * <p>When there is no room for another key, those that are new share one count for each limit until
 * its window is over: they may be refused too early, but no key is ever let through more often than
 * its limit says.
 */
final class MemoryCounts implements Counts {
  /** Of the count that keys without room share; no header's value is empty. */
  private static final String ALL_OTHERS = "";

  private record Place(String rule, String key) {}

  /** All fields are guarded by the counter's own monitor. */
  private static final class Counter {
    private final Place place;
    private final long order;
    private @Nullable Window window;

    /** Taken out of the map; whoever found it just before must look again. */
    private boolean isGone;

    Counter(Place place, long order) {
      this.place = place;
      this.order = order;
    }

    synchronized boolean isOpen(Limit limit, long now) {
      return window != null && window.isOpen(limit, now);
    }

    synchronized @Nullable Window window() {
      return window;
    }

    synchronized boolean goIfOver(long now) {
      isGone = window == null || now >= window.endsAt();
      return isGone;
    }
  }

  private final int maxKeys;
  private final Map<Place, Counter> counters = new ConcurrentHashMap<>();
  private final AtomicLong lastOrder = new AtomicLong();

  MemoryCounts(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  @Override
  public Verdict count(List<Claim> claims, long now) {
    while (true) {
      Counter[] found = new Counter[claims.size()];
      for (int i = 0; i < found.length; i++) {
        found[i] = counter(claims.get(i), now);
      }
      Verdict verdict = holding(inOrder(found), 0, () -> decide(claims, found, now));
      if (verdict != null) {
        return verdict;
      }
      for (Counter counter : found) {
        removeIfGone(counter);
      }
    }
  }

  private Counter counter(Claim claim, long now) {
    Place place = new Place(claim.rule(), claim.key());
    Counter known = counters.get(place);
    if (known != null) {
      return known;
    }
    Place shared = new Place(claim.rule(), ALL_OTHERS);
    Counter others = counters.get(shared);
    // As long as their window is open the others stay together: one that moved out would begin
    // anew.
    boolean noRoom =
        counters.size() >= maxKeys || (others != null && others.isOpen(claim.limit(), now));
    return counters.computeIfAbsent(
        noRoom ? shared : place, made -> new Counter(made, lastOrder.incrementAndGet()));
  }

  /** Whoever drops it does the same, but perhaps in a moment only. */
  private void removeIfGone(Counter counter) {
    synchronized (counter) {
      if (counter.isGone) {
        counters.remove(counter.place, counter);
      }
    }
  }

  /** Everybody takes locks in the same order, so that nobody waits for each other. */
  private static Counter[] inOrder(Counter[] found) {
    if (found.length == 1) {
      return found;
    }
    Counter[] sorted = found.clone();
    Arrays.sort(sorted, Comparator.comparingLong(counter -> counter.order));
    return sorted;
  }

  private static @Nullable Verdict holding(
      Counter[] counters, int next, Supplier<@Nullable Verdict> work) {
    if (next == counters.length) {
      return work.get();
    }
    synchronized (counters[next]) {
      return holding(counters, next + 1, work);
    }
  }

  /** Looks at all, then counts all; null when one has gone meanwhile. */
  private static @Nullable Verdict decide(List<Claim> claims, Counter[] counters, long now) {
    boolean admitted = true;
    for (int i = 0; i < counters.length; i++) {
      if (counters[i].isGone) {
        return null;
      }
      admitted &= Window.admits(counters[i].window, claims.get(i).limit(), now);
    }
    Usage tightest = null;
    for (int i = 0; i < counters.length; i++) {
      Claim claim = claims.get(i);
      Window before = counters[i].window;
      counters[i].window =
          admitted ? Window.counted(before, claim, now) : Window.seen(before, claim, now);
      Usage usage = Usage.of(claim, counters[i].window, now);
      if (tightest == null || Usage.TIGHTEST_FIRST.compare(usage, tightest) < 0) {
        tightest = usage;
      }
    }
    return tightest == null ? null : Verdict.of(admitted, tightest, now);
  }

  @Override
  public @Nullable Window find(String rule, String key) {
    Counter counter = counters.get(new Place(rule, key));
    if (counter == null) {
      counter = counters.get(new Place(rule, ALL_OTHERS));
    }
    return counter == null ? null : counter.window();
  }

  @Override
  public void forget(long now) {
    counters.entrySet().removeIf(entry -> entry.getValue().goIfOver(now));
  }

  int size() {
    return counters.size();
  }
}
