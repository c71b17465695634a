package agentengine.db;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The promise that no other process uses this data directory; the system frees it on a crash. */
public final class DirectoryLock implements AutoCloseable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Makes the directory if need be and locks it, or says who is in the way. */
  public static DirectoryLock acquire(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      FileChannel channel =
          FileChannel.open(
              directory.resolve("engine.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new StoreUnavailable(
            "the data directory "
                + directory.toAbsolutePath().normalize()
                + " is in use by another process; stop that one or set ENGINE_DATA_DIR");
      }
      return new DirectoryLock(channel);
    } catch (IOException e) {
      throw new StoreUnavailable(
          "the data directory "
              + directory.toAbsolutePath().normalize()
              + " cannot be used: "
              + e.getClass().getSimpleName()
              + " "
              + e.getMessage(),
          e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock goes with the process in any case.
    }
  }
}
