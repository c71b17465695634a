package agentengine.bench;

import java.util.ArrayList;
import java.util.List;

/** Lays the rows out as a Markdown table that is as readable on a terminal as on a page. */
final class Report {

  private Report() {}

  static String table(List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(Row.HEADINGS);
    rows.forEach(row -> lines.add(row.cells()));
    int[] widths = new int[Row.HEADINGS.size()];
    for (List<String> line : lines) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], line.get(column).length());
      }
    }
    StringBuilder table = new StringBuilder(line(Row.HEADINGS, widths)).append(ruler(widths));
    lines.stream().skip(1).forEach(line -> table.append(line(line, widths)));
    return table.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < widths.length; column++) {
      String padding = " ".repeat(widths[column] - cells.get(column).length());
      boolean isText = column == 0 || column == widths.length - 1;
      line.append(' ').append(isText ? "" : padding).append(cells.get(column));
      line.append(isText ? padding : "").append(" |");
    }
    return line.append('\n').toString();
  }

  private static String ruler(int[] widths) {
    StringBuilder line = new StringBuilder("|");
    for (int column = 0; column < widths.length; column++) {
      boolean isText = column == 0 || column == widths.length - 1;
      line.append("-".repeat(widths[column] + 1)).append(isText ? "-|" : ":|");
    }
    return line.append('\n').toString();
  }
}
