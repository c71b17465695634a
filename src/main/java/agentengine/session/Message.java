package agentengine.session;

import agentengine.model.Carry;
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
    Instant createdAt,
    @Nullable Origin origin) {

  /** A message that no model wrote. */
  public Message(
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
    this(
        id,
        position,
        turn,
        role,
        agent,
        content,
        toolRequests,
        callId,
        tokens,
        size,
        createdAt,
        null);
  }

  /** What the model that wrote this wants to see again with the results of its tools. */
  public @Nullable Carry carry() {
    return origin == null ? null : origin.carry();
  }

  /** The same without what is of use only within its own turn. */
  Message withoutCarry() {
    return origin == null || origin.carry() == null
        ? this
        : new Message(
            id,
            position,
            turn,
            role,
            agent,
            content,
            toolRequests,
            callId,
            tokens,
            size,
            createdAt,
            origin.withoutCarry());
  }

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
