package agentengine.session;

import agentengine.model.ToolRequest;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One entry of a session's history, as it was committed. */
public record Message(
    String id,
    int position,
    int turn,
    Role role,
    String agent,
    String content,
    List<ToolRequest> toolRequests,
    @Nullable String callId,
    @Nullable Integer tokens,
    int size,
    Instant createdAt) {

  /** Who speaks. */
  public enum Role {
    USER,
    ASSISTANT,
    TOOL;

    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Role ofWireName(String name) {
      return valueOf(name.toUpperCase(Locale.ROOT));
    }
  }
}
