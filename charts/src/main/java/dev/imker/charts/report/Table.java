package dev.imker.charts.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of texts and numbers under a header, for every kind of output. */
record Table(String name, List<String> header, List<List<Object>> rows) {
  Table(String name, List<String> header) {
    this(name, header, new ArrayList<>());
  }

  /** What the value in a cell is: its column, or what the first one says in lists of items. */
  String columnOfValue(int row, int column) {
    boolean items = header.size() == 2 && column == 1;
    return items ? rows.get(row).getFirst().toString() : header.get(column);
  }

  void add(List<Object> row) {
    rows.add(row);
  }
}
