package agentengine.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the standard input, read on a thread of their own so that whoever waits for one can
 * be called off. Nothing is read before the first line is wanted: the input may be another's.
 */
final class InputLines {
  private final InputStream in;
  private final BlockingQueue<Optional<String>> waiting = new ArrayBlockingQueue<>(1);
  private boolean started;

  InputLines(InputStream in) {
    this.in = in;
  }

  /** The next line, or null when there are no more. */
  @Nullable String next() throws InterruptedException {
    start();
    Optional<String> line = waiting.take();
    if (line.isEmpty()) {
      // The end stays the end for everybody who asks.
      waiting.put(line);
    }
    return line.orElse(null);
  }

  private synchronized void start() {
    if (!started) {
      started = true;
      Thread.ofPlatform().daemon().name("input").start(this::read);
    }
  }

  private void read() {
    try {
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      String line;
      while ((line = lineOf(lines)) != null) {
        waiting.put(Optional.of(line));
      }
      waiting.put(Optional.empty());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static @Nullable String lineOf(BufferedReader lines) {
    try {
      return lines.readLine();
    } catch (IOException _) {
      // An input that cannot be read any more has ended.
      return null;
    }
  }
}
