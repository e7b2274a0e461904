package dev.imker.charts.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of texts and numbers under a header, for every kind of output.
 *
 * @param values what all numbers behind the first column are; empty if the header says it
 */
record Table(String name, List<String> header, String values, List<List<Object>> rows) {
  Table(String name, List<String> header) {
    this(name, header, "", new ArrayList<>());
  }

  /** What the value in a cell is: its column, or what the first one says in lists of items. */
  String columnOfValue(int row, int column) {
    if (column > 0 && !values.isEmpty()) {
      return values;
    }
    boolean items = header.size() == 2 && column == 1;
    return items ? rows.get(row).getFirst().toString() : header.get(column);
  }

  void add(List<Object> row) {
    rows.add(row);
  }
}
