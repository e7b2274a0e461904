package dev.imker.cli.terminal;

import dev.imker.model.text.SafeText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns aligned for reading; the last one is not padded. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();
  private String whenEmpty = "";

  public TextTable(String... header) {
    rows.add(List.of(header));
  }

  /** What to print instead of a table without rows. */
  public TextTable whenEmpty(String words) {
    whenEmpty = words;
    return this;
  }

  public void add(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(SafeText.line(String.valueOf(cell)));
    }
    rows.add(row);
  }

  public boolean isEmpty() {
    return rows.size() == 1;
  }

  public void print(PrintWriter out) {
    if (isEmpty() && !whenEmpty.isEmpty()) {
      out.println(whenEmpty);
      return;
    }
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        line.append(row.get(i));
        if (i < row.size() - 1) {
          line.repeat(' ', widths[i] - row.get(i).length() + 2);
        }
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
