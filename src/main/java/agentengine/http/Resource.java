package agentengine.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A file inside the program. */
final class Resource {
  private Resource() {}

  static byte[] bytes(String path) {
    try (InputStream in = Resource.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
