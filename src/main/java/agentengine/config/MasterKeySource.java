package agentengine.config;

import agentengine.secret.MasterKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Where the master key comes from: its variable, or else a file in the data directory. */
public final class MasterKeySource {
  private static final String FILE = "master.key";

  private MasterKeySource() {}

  /** The key to start with; its file is made when there is none. */
  public static MasterKey toStartWith(BootOptions options) {
    return given(options)
        .orElseGet(
            () -> {
              try {
                Path directory = Files.createDirectories(options.dataDirectory());
                return MasterKey.ofFile(directory.resolve(FILE));
              } catch (IOException e) {
                throw new BadOption(
                    Variable.DATA_DIR, "cannot hold the key file: " + e.getMessage());
              }
            });
  }

  /** The key of a store that exists; nothing is made. */
  public static MasterKey ofStore(BootOptions options) {
    return given(options).orElseGet(() -> inFile(options.dataDirectory().resolve(FILE)));
  }

  private static Optional<MasterKey> given(BootOptions options) {
    try {
      return Optional.ofNullable(options.masterKey())
          .map(secret -> MasterKey.ofBase64(secret.reveal()));
    } catch (IllegalArgumentException e) {
      throw new BadOption(Variable.MASTER_KEY, "is not a key: " + e.getMessage());
    }
  }

  private static MasterKey inFile(Path file) {
    Path whole = file.toAbsolutePath().normalize();
    if (!Files.exists(file)) {
      throw new BadOption(Variable.MASTER_KEY, "is not set, and there is no key file " + whole);
    }
    try {
      return MasterKey.ofExistingFile(file);
    } catch (IOException e) {
      throw new BadOption(
          Variable.MASTER_KEY,
          "is not set, and the key file " + whole + " cannot be read: " + e.getMessage());
    }
  }
}
