package dev.imker.charts.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of texts and numbers under a header, for every kind of output. */
record Table(String name, List<String> header, List<List<Object>> rows) {
  Table(String name, List<String> header) {
    this(name, header, new ArrayList<>());
  }

  void add(List<Object> row) {
    rows.add(row);
  }
}
