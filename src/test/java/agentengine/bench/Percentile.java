package agentengine.bench;

import java.util.List;

/** Percentiles of a handful of figures, by the nearest rank. */
final class Percentile {

  private Percentile() {}

  static double median(List<Double> figures) {
    return of(50, figures);
  }

  static double of(int percent, List<Double> figures) {
    if (figures.isEmpty()) {
      return Double.NaN;
    }
    List<Double> sorted = figures.stream().sorted().toList();
    int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
    return sorted.get(Math.max(rank, 1) - 1);
  }
}
