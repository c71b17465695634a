package agentengine.cli;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/** What was printed so far; a test can wait for a text to appear. */
final class Printed {
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  PrintStream stream() {
    return new PrintStream(new Sink(), true, StandardCharsets.UTF_8);
  }

  /** Waits until the text was printed so many times. */
  synchronized void await(String text, int times) throws InterruptedException {
    long deadline = System.nanoTime() + MAX_WAIT.toNanos();
    while (toString().split(Pattern.quote(text), -1).length <= times) {
      long left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
      if (left <= 0) {
        throw new AssertionError("'" + text + "' was not printed: " + this);
      }
      wait(left);
    }
  }

  @Override
  public synchronized String toString() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private final class Sink extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      synchronized (Printed.this) {
        bytes.write(source, offset, length);
        Printed.this.notifyAll();
      }
    }
  }
}
