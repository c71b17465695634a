package agentengine.db;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;

/** Makes ids that sort by time and cannot be guessed: UUIDs of version 7. */
public final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final InstantSource clock;

  public Ids(InstantSource clock) {
    this.clock = clock;
  }

  public String next() {
    long millis = clock.millis();
    byte[] random = new byte[10];
    RANDOM.nextBytes(random);
    random[0] = (byte) (0x70 | (random[0] & 0x0f));
    random[2] = (byte) (0x80 | (random[2] & 0x3f));
    HexFormat hex = HexFormat.of();
    String time = hex.toHexDigits(millis, 12);
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
