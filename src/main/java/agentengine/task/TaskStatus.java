package agentengine.task;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Where a task stands, and where it may go from there: this table is the whole rule. */
public enum TaskStatus {
  PENDING,
  IN_PROGRESS,
  NEEDS_INPUT,
  COMPLETED,
  FAILED,
  CANCELLED;

  private static final Map<TaskStatus, Set<TaskStatus>> NEXT =
      Map.of(
          PENDING, EnumSet.of(IN_PROGRESS, FAILED, CANCELLED),
          IN_PROGRESS, EnumSet.of(NEEDS_INPUT, COMPLETED, FAILED, CANCELLED),
          NEEDS_INPUT, EnumSet.of(IN_PROGRESS, FAILED),
          COMPLETED, EnumSet.noneOf(TaskStatus.class),
          FAILED, EnumSet.noneOf(TaskStatus.class),
          CANCELLED, EnumSet.noneOf(TaskStatus.class));

  public boolean mayBecome(TaskStatus next) {
    return NEXT.getOrDefault(this, Set.of()).contains(next);
  }

  /** The statuses from which a task may come to this one. */
  List<String> before() {
    return Stream.of(values())
        .filter(status -> status.mayBecome(this))
        .map(TaskStatus::wireName)
        .toList();
  }

  boolean isEnd() {
    return NEXT.getOrDefault(this, Set.of()).isEmpty();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> wireNames() {
    return Stream.of(values()).map(TaskStatus::wireName).toList();
  }

  public static TaskStatus ofWireName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
