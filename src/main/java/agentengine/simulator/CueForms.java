package agentengine.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How each cue is written: one line a cue in {@link #all()}. */
final class CueForms {
  private static final int MAX_WORDS = 100_000;
  private static final int MAX_COUNT = 1_000;
  private static final int MAX_TOKENS = 1_000_000_000;

  private static final Arguments.Shape TOOL =
      new Arguments.Shape(1, true, Set.of("index", "id", "pieces", "check"));
  private static final Arguments.Shape ERROR =
      new Arguments.Shape(1, true, Set.of("retry-after", "code", "times", "key"));
  private static final Arguments.Shape STREAM_ERROR =
      new Arguments.Shape(0, true, Set.of("times", "key"));

  private static final Map<String, Form> FORMS = all();

  /** Makes a cue of what follows its name. */
  @FunctionalInterface
  private interface Form {
    Cue read(String source);
  }

  private CueForms() {}

  /** The cue, or null when there is none of this name. */
  static @Nullable Cue read(String name, String source) {
    Form form = FORMS.get(name);
    return form == null ? null : form.read(source);
  }

  static Set<String> names() {
    return FORMS.keySet();
  }

  private static Map<String, Form> all() {
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put("say", text -> new Cue.Say(Template.parse(text)));
    forms.put("chunk", text -> new Cue.Chunk(Template.parse(text)));
    forms.put("think", text -> new Cue.Think(Template.parse(text)));
    forms.put("words", words(1, a -> new Cue.Words(a.number(0, "the count", 1, MAX_WORDS))));
    forms.put("tool", CueForms::toolCall);
    forms.put("empty", words(0, a -> new Cue.Empty()));
    forms.put("pace", words(1, a -> new Cue.Pace(a.duration(0, Pauses.MAX))));
    forms.put("delay", words(1, a -> new Cue.Delay(a.duration(0, Pauses.MAX))));
    forms.put("finish", words(1, CueForms::finish));
    forms.put("usage", words(2, CueForms::usage));
    forms.put("error", limitable(ERROR, CueForms::httpError));
    forms.put("html", failure(1, CueForms::html));
    forms.put("never", failure(0, a -> new Cue.Never()));
    forms.put("stall", failure(1, CueForms::stall));
    forms.put("stream-error", limitable(STREAM_ERROR, CueForms::streamError));
    forms.put("cut", failure(0, a -> new Cue.Cut()));
    forms.put("end", failure(0, a -> new Cue.End()));
    forms.put("line", Cue.Line::new);
    return forms;
  }

  private static Form words(int count, Function<Arguments, Cue> build) {
    Arguments.Shape shape = new Arguments.Shape(count, false, Set.of());
    return source -> build.apply(Arguments.read(source, shape));
  }

  private static Form failure(int words, Function<Arguments, Cue> build) {
    return limitable(new Arguments.Shape(words, false, Set.of("times", "key")), build);
  }

  /** Every failure can be limited to the first attempts, so that a retry can succeed. */
  private static Form limitable(Arguments.Shape shape, Function<Arguments, Cue> build) {
    return source -> {
      Arguments arguments = Arguments.read(source, shape);
      Cue cue = build.apply(arguments);
      String key = arguments.option("key");
      if ((key == null) != (arguments.option("times") == null)) {
        throw new BadRequest("times and key belong together");
      }
      return key == null
          ? cue
          : new Cue.FirstTimes(cue, arguments.option("times", 1, 1, MAX_COUNT), key);
    };
  }

  private static Cue toolCall(String source) {
    Arguments a = Arguments.read(source, TOOL);
    Cue.Label index = Cue.Label.of(a.option("index"));
    if (index instanceof Cue.Label.Given) {
      a.option("index", 0, 0, MAX_COUNT);
    }
    return new Cue.ToolCall(
        a.word(0, "the tool's name"),
        Template.parse(toolArguments(a)),
        index,
        Cue.Label.of(a.option("id")),
        a.option("pieces", 4, 1, MAX_COUNT));
  }

  private static String toolArguments(Arguments a) {
    String check = a.option("check");
    if (check != null && !check.equals("off")) {
      throw new BadRequest("check can only be off");
    }
    String arguments = check == null ? a.textOr("{}") : a.text();
    if (check == null && !Json.isObject(arguments)) {
      throw new BadRequest("the arguments must be a JSON object (check=off sends them anyway)");
    }
    return arguments;
  }

  private static Cue finish(Arguments a) {
    String reason = a.word(0, "the reason");
    return new Cue.Finish(reason.equals("none") ? null : reason);
  }

  private static Cue usage(Arguments a) {
    if (!a.has(1) && a.word(0, "none, or the number of prompt tokens,").equals("none")) {
      return new Cue.Usage.None();
    }
    return new Cue.Usage.Figures(
        a.number(0, "the number of prompt tokens", 0, MAX_TOKENS),
        a.number(1, "the number of completion tokens", 0, MAX_TOKENS));
  }

  private static Cue stall(Arguments a) {
    return new Cue.Stall(a.has(0) ? a.duration(0, Pauses.MAX) : Pauses.MAX);
  }

  private static Cue httpError(Arguments a) {
    int status = a.number(0, "the status", 400, 599);
    String message = a.textOr("Simulated failure with status " + status);
    return new Cue.HttpError(status, a.option("retry-after"), a.option("code"), message);
  }

  private static Cue streamError(Arguments a) {
    return new Cue.StreamError(a.textOr("Simulated failure in the middle of the stream"));
  }

  private static Cue html(Arguments a) {
    int status = a.has(0) ? a.number(0, "the status", 200, 599) : 200;
    if (status != 200 && status < 400) {
      throw new BadRequest("the status must be 200 or from 400 to 599");
    }
    return new Cue.Html(status);
  }
}
