package agentengine.bench;

/** The run cannot go on or proves nothing; the message is the one line the user gets to see. */
final class BenchFailure extends Exception {
  BenchFailure(String message) {
    super(message);
  }
}
