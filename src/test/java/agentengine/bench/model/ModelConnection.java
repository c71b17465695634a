package agentengine.bench.model;

import agentengine.bench.model.RequestReader.Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves one keep-alive connection of the fake model on its own virtual thread. */
final class ModelConnection implements Runnable {

  private static final int BYTES_PER_PROMPT_TOKEN = 4;

  private final SocketChannel channel;
  private final Pacer pacer;
  private final AtomicInteger activeAnswers;

  ModelConnection(SocketChannel channel, Pacer pacer, AtomicInteger activeAnswers) {
    this.channel = channel;
    this.pacer = pacer;
    this.activeAnswers = activeAnswers;
  }

  @Override
  public void run() {
    try (channel) {
      RequestReader requests = new RequestReader(channel);
      for (Request request = requests.next(); request != null; request = requests.next()) {
        answer(request);
      }
    } catch (IOException clientLeft) {
      // Nobody is there to be told.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(Request request) throws IOException, InterruptedException {
    switch (request.path()) {
      case "/v1/chat/completions" -> {
        activeAnswers.incrementAndGet();
        try {
          complete(request.body());
        } finally {
          activeAnswers.decrementAndGet();
        }
      }
      case "/v1/models" ->
          write(AnswerBytes.json("{\"object\":\"list\",\"data\":[{\"id\":\"bench\"}]}"));
      case "/active" -> write(AnswerBytes.json(activeAnswers.toString()));
      default -> write(AnswerBytes.notFound());
    }
  }

  private void complete(String body) throws IOException, InterruptedException {
    Script script = Script.lastIn(body);
    int promptTokens = body.length() / BYTES_PER_PROMPT_TOKEN;
    if (!isTrue(body, "stream")) {
      write(AnswerBytes.unstreamed(promptTokens, script.tokens()));
      return;
    }
    boolean withUsage = isTrue(body, "include_usage");
    ByteBuffer closing = AnswerBytes.closing(promptTokens, script.tokens(), withUsage);
    if (script.pauseMillis() > 0) {
      write(AnswerBytes.opening(), AnswerBytes.tokens(1));
      if (script.tokens() > 1) {
        pacer.play(channel, script.tokens() - 1, script.pauseMillis());
      }
      write(closing);
    } else {
      writeWithoutPause(script.tokens(), closing);
    }
  }

  private void writeWithoutPause(int tokens, ByteBuffer closing) throws IOException {
    int events = Math.min(tokens, AnswerBytes.MAX_EVENTS_PER_WRITE);
    int left = tokens - events;
    if (left == 0) {
      write(AnswerBytes.opening(), AnswerBytes.tokens(events), closing);
      return;
    }
    write(AnswerBytes.opening(), AnswerBytes.tokens(events));
    while (left > 0) {
      events = Math.min(left, AnswerBytes.MAX_EVENTS_PER_WRITE);
      write(AnswerBytes.tokens(events));
      left -= events;
    }
    write(closing);
  }

  private void write(ByteBuffer... parts) throws IOException {
    ByteBuffer last = parts[parts.length - 1];
    while (last.hasRemaining()) {
      channel.write(parts);
    }
  }

  private static boolean isTrue(String body, String field) {
    int at = body.indexOf("\"" + field + "\"");
    return at >= 0
        && body.substring(at + field.length() + 2).stripLeading().startsWith(":")
        && body.substring(body.indexOf(':', at) + 1).stripLeading().startsWith("true");
  }
}
