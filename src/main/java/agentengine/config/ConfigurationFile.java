package agentengine.config;

import agentengine.error.EngineException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The file with the configuration document: applied at the start, and again when asked to. */
public final class ConfigurationFile {
  /** More than any document may have, so that its own complaint is heard. */
  private static final int MAX_BYTES = 5 * 1024 * 1024;

  private final Path file;
  private final Configuration configuration;

  public ConfigurationFile(Path file, Configuration configuration) {
    this.file = file;
    this.configuration = configuration;
  }

  /** Applies the file if it has changed; a newcomer without one is given one. */
  public void applyAtStart(String actor) {
    try {
      boolean isThere = Files.exists(file);
      if (!isThere && configuration.nothingIsDefined()) {
        FirstConfiguration.write(file);
        isThere = true;
      }
      if (isThere) {
        configuration.applyIfChanged(actor, YamlText.decoded(read()));
      }
    } catch (IOException e) {
      throw new BadOption(
          Variable.CONFIG, "names " + file + ", which cannot be used: " + problem(e));
    }
    configuration.lookUpReferencesAgain(actor);
  }

  /**
   * Applies the file, changed or not.
   *
   * @throws ConfigurationException with all that is wrong with it; then nothing was changed
   */
  public Applied reload(String actor) {
    byte[] document;
    try {
      document = read();
    } catch (IOException e) {
      throw EngineException.invalid(
          Variable.CONFIG.environmentName(),
          "names " + file + ", which cannot be read: " + problem(e));
    }
    return configuration.reload(actor, file.toString(), document);
  }

  private byte[] read() throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(MAX_BYTES);
    }
  }

  private static String problem(IOException e) {
    return e instanceof NoSuchFileException
        ? "there is no such file"
        : e.getClass().getSimpleName() + " " + e.getMessage();
  }
}
