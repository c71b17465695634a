package agentengine.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a message or a system prompt tells the simulator to answer, one step a model call. */
record Script(List<Step> steps, boolean loops) {
  private static final int MAX_CUES = 1_000;
  private static final String NEXT_STEP = "then";
  private static final String LOOP = "loop";

  /** The cues of one answer. */
  record Step(List<Cue> cues) {
    boolean pauses() {
      return cues.stream().anyMatch(Cue::pauses);
    }
  }

  /** The script in the text, if it has any cue. */
  static Optional<Script> parse(String text) {
    List<Brackets.Span> spans = Brackets.spans(text);
    if (spans.size() > MAX_CUES) {
      throw new BadRequest("A script has at most " + MAX_CUES + " cues, not " + spans.size());
    }
    List<Step> steps = new ArrayList<>();
    List<Cue> cues = new ArrayList<>();
    boolean loops = false;
    for (Brackets.Span span : spans) {
      String source = span.inner(text).stripLeading();
      switch (source.strip()) {
        case NEXT_STEP -> {
          steps.add(checked(cues));
          cues.clear();
        }
        case LOOP -> loops = true;
        default -> cues.add(cue(source));
      }
    }
    steps.add(checked(cues));
    return spans.isEmpty() ? Optional.empty() : Optional.of(new Script(steps, loops));
  }

  /** The cues for this model call of a turn, if the script reaches so far. */
  Optional<Step> step(int number) {
    if (number < steps.size()) {
      return Optional.of(steps.get(number));
    }
    return loops ? Optional.of(steps.get(number % steps.size())) : Optional.empty();
  }

  private static Cue cue(String source) {
    int nameEnd = 0;
    while (nameEnd < source.length() && !Character.isWhitespace(source.charAt(nameEnd))) {
      nameEnd++;
    }
    String name = source.substring(0, nameEnd);
    // One space parts the name from the text; every other is the text's own.
    String rest = source.substring(Math.min(nameEnd + 1, source.length()));
    Cue cue;
    try {
      cue = CueForms.read(name, rest);
    } catch (BadRequest e) {
      String whole = "[[" + Text.shortened(source) + "]]";
      throw new BadRequest("Bad cue " + whole + ": " + e.problem() + ". " + knownCues());
    }
    if (cue == null) {
      throw new BadRequest("Unknown cue [[" + Text.shortened(name) + "]]. " + knownCues());
    }
    return cue;
  }

  private static Step checked(List<Cue> cues) {
    boolean answering = false;
    for (Cue cue : cues) {
      Cue inner = cue instanceof Cue.FirstTimes limited ? limited.cue() : cue;
      if (answering && inner instanceof Cue.Refusal) {
        throw new BadRequest(
            "[[error]], [[html]] and [[never]] must come before anything is sent; "
                + "use [[stream-error]], [[cut]] or [[stall]] after it");
      }
      answering |= inner instanceof Cue.Output;
    }
    return new Step(List.copyOf(cues));
  }

  private static String knownCues() {
    return "Known cues: " + String.join(", ", CueForms.names()) + ", then, loop.";
  }
}
