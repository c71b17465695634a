package agentengine.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of texts in aligned columns. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; each cell is made one line. */
  Table row(String... cells) {
    rows.add(List.of(cells).stream().map(Printable::oneLine).toList());
    return this;
  }

  /** The lines, without spaces at their ends. */
  List<String> lines() {
    return rows.stream().map(this::line).toList();
  }

  private String line(List<String> row) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < row.size(); column++) {
      String cell = row.get(column);
      line.append(cell).repeat(" ", width(column) - length(cell)).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream()
        .filter(row -> column < row.size())
        .mapToInt(row -> length(row.get(column)))
        .max()
        .orElse(0);
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
