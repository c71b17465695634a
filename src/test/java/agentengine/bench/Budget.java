package agentengine.bench;

/** What a figure must reach for a release, and what it aims for. */
record Budget(Bound bound, double must, double aim) {

  enum Bound {
    AT_MOST("≤ "),
    AT_LEAST("≥ ");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  static Budget atMost(double must, double aim) {
    return new Budget(Bound.AT_MOST, must, aim);
  }

  static Budget atLeast(double must, double aim) {
    return new Budget(Bound.AT_LEAST, must, aim);
  }

  String sign() {
    return bound.sign;
  }

  /** The better of the two that the figure reaches. */
  String verdict(double figure) {
    if (reaches(figure, aim)) {
      return "aim reached";
    }
    return reaches(figure, must) ? "ok" : "MISSED";
  }

  private boolean reaches(double figure, double limit) {
    return switch (bound) {
      case AT_MOST -> figure <= limit;
      case AT_LEAST -> figure >= limit;
    };
  }
}
