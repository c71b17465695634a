package agentengine.session;

import agentengine.db.Database;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The recent messages of sessions, kept in memory so that a long conversation costs its next turn
 * no reading. What is kept is used only if it is exactly what the store holds up to a position that
 * the caller knows from the store.
 */
public final class Conversations {
  private static final int CHUNK = 200;
  private static final long MAX_KEPT_BYTES = 32L * 1024 * 1024;
  private static final int BYTES_PER_TOKEN = 4;
  private static final int BYTES_PER_MESSAGE = 400;

  private final Database db;
  private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long keptBytes;

  private record Kept(List<Message> messages, int budget, long bytes) {
    int lastPosition() {
      return messages.isEmpty() ? 0 : messages.getLast().position();
    }
  }

  public Conversations(Database db) {
    this.db = db;
  }

  /** The newest messages up to a position, as many as fill the budget of tokens, oldest first. */
  public List<Message> tail(String sessionId, int lastPosition, int budget) {
    if (lastPosition == 0) {
      return List.of();
    }
    synchronized (kept) {
      Kept have = kept.get(sessionId);
      if (have != null && have.lastPosition() == lastPosition && have.budget() >= budget) {
        return have.messages();
      }
    }
    return load(sessionId, lastPosition, budget, Integer.MAX_VALUE);
  }

  /** The newest messages that fill the budget, and all of a turn, however long it is. */
  public List<Message> tailWithTurn(String sessionId, int turn, int budget) {
    return load(sessionId, Integer.MAX_VALUE - 1, budget, turn);
  }

  private List<Message> load(String sessionId, int lastPosition, int budget, int turn) {
    return db.read(
        handle -> {
          List<Message> newestFirst = new ArrayList<>();
          long size = 0;
          int before = lastPosition + 1;
          while (before > 1 && (size <= budget || newestFirst.getLast().turn() >= turn)) {
            List<Message> chunk = Messages.before(handle, sessionId, before, CHUNK);
            if (chunk.isEmpty()) {
              break;
            }
            newestFirst.addAll(chunk);
            size += chunk.stream().mapToLong(Message::size).sum();
            before = chunk.getLast().position();
          }
          Collections.reverse(newestFirst);
          return newestFirst;
        });
  }

  /** Remembers a conversation for its next turn. */
  public void keep(String sessionId, List<Message> messages, int budget) {
    long bytes = bytes(messages);
    synchronized (kept) {
      forgetLocked(sessionId);
      if (bytes > MAX_KEPT_BYTES / 8 || hasGaps(messages)) {
        return;
      }
      kept.put(sessionId, new Kept(withoutCarries(messages), budget, bytes));
      keptBytes += bytes;
      while (keptBytes > MAX_KEPT_BYTES) {
        forgetLocked(kept.keySet().iterator().next());
      }
    }
  }

  /** What a model thought is long, and no later turn shows it again. */
  private static List<Message> withoutCarries(List<Message> messages) {
    return messages.stream().allMatch(message -> message.carry() == null)
        ? List.copyOf(messages)
        : messages.stream().map(Message::withoutCarry).toList();
  }

  /** A long turn forgets its own beginning, which a later one may have room for. */
  private static boolean hasGaps(List<Message> messages) {
    return !messages.isEmpty()
        && messages.getLast().position() - messages.getFirst().position() + 1 != messages.size();
  }

  private static long bytes(List<Message> messages) {
    long bytes = 0;
    for (Message message : messages) {
      bytes += BYTES_PER_MESSAGE + (long) BYTES_PER_TOKEN * message.size();
    }
    return bytes;
  }

  /** Drops what is remembered of a session. */
  public void forget(String sessionId) {
    synchronized (kept) {
      forgetLocked(sessionId);
    }
  }

  private void forgetLocked(String sessionId) {
    Kept old = kept.remove(sessionId);
    if (old != null) {
      keptBytes -= old.bytes();
    }
  }
}
