package agentengine.bench;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One line of the report: a figure of the direct path beside the engine's.
 *
 * @param direct NaN where the direct path has no such figure
 * @param engine NaN where the engine was left out
 */
record Row(String label, int decimals, double direct, double engine, @Nullable Budget budget) {

  static final List<String> HEADINGS =
      List.of("measure", "direct", "engine", "must", "aim", "verdict");

  static Row of(String label, int decimals, double direct, double engine) {
    return new Row(label, decimals, direct, engine, null);
  }

  Row within(Budget limits) {
    return new Row(label, decimals, direct, engine, limits);
  }

  List<String> cells() {
    if (budget == null) {
      return List.of(label, text(direct), text(engine), "", "", "");
    }
    return List.of(
        label,
        text(direct),
        text(engine),
        budget.sign() + text(budget.must()),
        budget.sign() + text(budget.aim()),
        Double.isNaN(engine) ? "" : budget.verdict(engine));
  }

  private String text(double figure) {
    return Double.isNaN(figure) ? "–" : String.format(Locale.ROOT, "%,." + decimals + "f", figure);
  }
}
