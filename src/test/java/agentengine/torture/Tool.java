package agentengine.torture;

import java.util.Locale;

/** The declared tools, one for each effect that matters after a crash. */
enum Tool {
  CHARGE("POST", Effect.UNSAFE, false),
  STORE("POST", Effect.IDEMPOTENT, false),
  LOOK("GET", Effect.READ_ONLY, false),
  WIRE("POST", Effect.UNSAFE, true),
  STAMP("POST", Effect.IDEMPOTENT, true);

  /** What running it twice would do. */
  enum Effect {
    READ_ONLY,
    IDEMPOTENT,
    UNSAFE;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final String method;
  private final Effect effect;
  private final boolean gated;

  Tool(String method, Effect effect, boolean gated) {
    this.method = method;
    this.effect = effect;
    this.gated = gated;
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  Effect effect() {
    return effect;
  }

  boolean gated() {
    return gated;
  }

  /** Its entry in the configuration document. */
  String declaration(String baseUrl) {
    return """
      %s:
        description: Does what its name says.
        method: %s
        url: "%s/%s/{marker}"
        parameters: {type: object, required: [marker], properties: {marker: {type: string}, wait: {type: string}}}
        effect: %s
        confirm_before: %s
    """
        .formatted(wireName(), method, baseUrl, wireName(), effect.wireName(), gated);
  }
}
