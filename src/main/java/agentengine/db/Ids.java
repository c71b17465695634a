package agentengine.db;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes ids that sort by time, those of one process also within a millisecond, and that cannot be
 * guessed: UUIDs of version 7.
 */
public final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();

  private static final int COUNTER_BITS = 12;
  private static final int COUNTER_START = 1 << (COUNTER_BITS - 1);

  private final InstantSource clock;

  /** The last id's time and, below it, its count within that millisecond. */
  private final AtomicLong last = new AtomicLong();

  public Ids(InstantSource clock) {
    this.clock = clock;
  }

  public String next() {
    byte[] random = new byte[10];
    RANDOM.nextBytes(random);
    long now = (clock.millis() << COUNTER_BITS) + (((random[0] & 0xff) << 3) & (COUNTER_START - 1));
    // A full count runs over into the next millisecond, which keeps the order.
    long id = last.updateAndGet(before -> Math.max(before + 1, now));
    random[0] = (byte) (0x70 | ((id >> 8) & 0x0f));
    random[1] = (byte) id;
    random[2] = (byte) (0x80 | (random[2] & 0x3f));
    HexFormat hex = HexFormat.of();
    String time = hex.toHexDigits(id >> COUNTER_BITS, 12);
    String tail = hex.formatHex(random);
    return time.substring(0, 8)
        + '-'
        + time.substring(8)
        + '-'
        + tail.substring(0, 4)
        + '-'
        + tail.substring(4, 8)
        + '-'
        + tail.substring(8);
  }
}
