package agentengine.audit;

import java.util.List;

/** One page of a longer list, with what a reader needs to ask for the others. */
public record Page<T>(List<T> data, long total, int page, int perPage) {
  public Page {
    data = List.copyOf(data);
    checkPosition(page, perPage);
  }

  /** How many pages there are; none when the list is empty. */
  public long totalPages() {
    return Math.ceilDiv(total, (long) perPage);
  }

  /** How many items stand before the page; a long, because a far page must not wrap around. */
  static long offset(int page, int perPage) {
    checkPosition(page, perPage);
    return (page - 1L) * perPage;
  }

  private static void checkPosition(int page, int perPage) {
    if (page < 1 || perPage < 1) {
      throw new IllegalArgumentException("pages count from 1 and hold at least one item");
    }
  }
}
