package agentengine.cli;

/** How a failure that has a code is told. */
final class ErrorLine {
  private ErrorLine() {}

  static String of(String code, String message) {
    return "error [" + code + "]: " + message;
  }
}
