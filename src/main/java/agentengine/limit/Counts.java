package agentengine.limit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where requests are counted: in memory, or in a table that several nodes share. */
sealed interface Counts permits MemoryCounts, SharedCounts {
  /** Counts a request under all of these limits, or under none of them if one is used up. */
  Verdict count(List<Claim> claims, long now);

  /** What is known about a key, if anything is. */
  @Nullable Window find(String rule, String key);

  /** Drops the keys whose window is over. */
  void forget(long now);
}
