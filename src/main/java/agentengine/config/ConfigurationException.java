package agentengine.config;

import java.util.List;

/** A configuration document that cannot be applied, with everything that is wrong with it. */
public final class ConfigurationException extends RuntimeException {
  /** One complaint and where it stands; lines and columns count from 1. */
  public record Problem(int line, int column, String path, String message) {
    @Override
    public String toString() {
      return "line "
          + line
          + ", column "
          + column
          + ": "
          + (path.isEmpty() ? "" : path + ": ")
          + message;
    }
  }

  private final List<Problem> problems;

  public ConfigurationException(List<Problem> problems) {
    super(problems.getFirst().toString());
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
