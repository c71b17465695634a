package agentengine.bench.model;

/**
 * What one turn asks of the fake model; it travels as the text of the user's message, so the load
 * client decides on it in both paths.
 *
 * @param tokens how many tokens the answer has
 * @param pauseMillis the time between two tokens; 0 means as fast as the socket takes them
 */
public record Script(int tokens, int pauseMillis) {

  /** Stands once in every token, so tokens can be counted even when several share one delta. */
  public static final byte TOKEN_MARK = '~';

  static final int MAX_TOKENS = 1_000_000;
  static final int MAX_PAUSE_MILLIS = 4_000;

  private static final Script DEFAULT = new Script(10, 0);
  private static final String TOKENS = "tokens=";
  private static final String PAUSE = "pause=";

  public Script {
    if (tokens < 1 || tokens > MAX_TOKENS) {
      throw new IllegalArgumentException("tokens must be 1 to " + MAX_TOKENS + ", not " + tokens);
    }
    if (pauseMillis < 0 || pauseMillis > MAX_PAUSE_MILLIS) {
      throw new IllegalArgumentException(
          "pause must be 0 to " + MAX_PAUSE_MILLIS + " ms, not " + pauseMillis);
    }
  }

  /** The user message that asks for this script. */
  public String text() {
    return TOKENS + tokens + " " + PAUSE + pauseMillis + "ms";
  }

  /**
   * Finds the script in a request body. Answers never contain one, so the last one in the body is
   * the newest user message's, however long the history before it is and whatever the JSON's order.
   */
  static Script lastIn(String body) {
    int at = body.lastIndexOf(TOKENS);
    if (at < 0) {
      return DEFAULT;
    }
    int pauseAt = body.indexOf(PAUSE, at);
    return new Script(
        numberAt(body, at + TOKENS.length()),
        pauseAt < 0 ? 0 : numberAt(body, pauseAt + PAUSE.length()));
  }

  private static int numberAt(String text, int from) {
    int to = from;
    while (to < text.length() && Character.isDigit(text.charAt(to))) {
      to++;
    }
    return Integer.parseInt(text, from, to, 10);
  }
}
