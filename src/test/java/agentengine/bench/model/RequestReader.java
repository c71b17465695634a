package agentengine.bench.model;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads one HTTP/1.1 request after another from a keep-alive connection, blocking. */
final class RequestReader {

  /** The body is decoded as Latin-1: all that is looked for in it is ASCII, and this is a copy. */
  record Request(String method, String path, String body) {}

  private static final int MAX_BODY_BYTES = 16 << 20;

  private final ReadableByteChannel channel;
  private byte[] buffer = new byte[2048];
  private int start;
  private int end;

  RequestReader(ReadableByteChannel channel) {
    this.channel = channel;
  }

  /** The next request, or null when the client closed the connection between two. */
  @Nullable Request next() throws IOException {
    if (start == end && !fill()) {
      return null;
    }
    String[] requestLine = readLine().split(" ", 3);
    if (requestLine.length < 3) {
      throw new IOException("not an HTTP request line");
    }
    int length = 0;
    boolean chunked = false;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(15).trim());
      } else if (header.startsWith("transfer-encoding:")) {
        chunked = header.endsWith("chunked");
      }
    }
    return new Request(
        requestLine[0], requestLine[1], chunked ? readChunkedBody() : readBytes(length));
  }

  private String readChunkedBody() throws IOException {
    StringBuilder body = new StringBuilder();
    while (body.length() <= MAX_BODY_BYTES) {
      String sizeLine = readLine();
      int extension = sizeLine.indexOf(';');
      String size = extension < 0 ? sizeLine : sizeLine.substring(0, extension);
      int length = Integer.parseInt(size.trim(), 16);
      if (length == 0) {
        while (!readLine().isEmpty()) {
          // Trailers say nothing that matters here.
        }
        return body.toString();
      }
      body.append(readBytes(length));
      readLine();
    }
    throw new IOException("request body over " + MAX_BODY_BYTES + " bytes");
  }

  private String readBytes(int length) throws IOException {
    if (length > MAX_BODY_BYTES) {
      throw new IOException("request body over " + MAX_BODY_BYTES + " bytes");
    }
    while (end - start < length) {
      fillOrFail();
    }
    String bytes = new String(buffer, start, length, StandardCharsets.ISO_8859_1);
    start += length;
    return bytes;
  }

  private String readLine() throws IOException {
    int scanned = 0;
    while (true) {
      for (; start + scanned < end; scanned++) {
        if (buffer[start + scanned] == '\n') {
          String line = new String(buffer, start, scanned, StandardCharsets.ISO_8859_1);
          start += scanned + 1;
          return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        }
      }
      if (scanned > MAX_BODY_BYTES) {
        throw new IOException("header line too long");
      }
      fillOrFail();
    }
  }

  private void fillOrFail() throws IOException {
    if (!fill()) {
      throw new EOFException("connection closed inside a request");
    }
  }

  private boolean fill() throws IOException {
    if (start > 0) {
      System.arraycopy(buffer, start, buffer, 0, end - start);
      end -= start;
      start = 0;
    }
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = channel.read(ByteBuffer.wrap(buffer, end, buffer.length - end));
    if (read < 0) {
      return false;
    }
    end += read;
    return true;
  }
}
