package agentengine.config;

/** A boot option with a value that cannot be used; the message is one line for the operator. */
public final class BadOption extends RuntimeException {
  public BadOption(Variable variable, String problem) {
    super(variable.environmentName() + " " + problem + "; for example " + variable.example());
  }

  /** Never null, unlike a throwable's in general. */
  public String reason() {
    String message = getMessage();
    return message == null ? "a boot option is wrong" : message;
  }
}
