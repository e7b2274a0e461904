package dev.imker.charts.report;

import dev.imker.charts.report.Courses.Course;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The accounts day by day: of one market with what it is compared with, of many side by side. */
final class EquityTable {
  static final String NAME = "equity";

  private EquityTable() {}

  static Table of(Courses courses) {
    return courses.all().size() == 1 ? one(courses.all().getFirst()) : many(courses.all());
  }

  private static Table one(Course course) {
    Table table = new Table(NAME, List.of("date", "account", "buy and hold", "draw-down"));
    double[] curve = course.run().curve();
    double[] held = course.buyAndHold();
    double peak = curve[0];
    for (int i = 0; i < curve.length; i++) {
      peak = Math.max(peak, curve[i]);
      String date = course.market().when(course.run().firstBar() + i);
      table.add(List.of(date, curve[i], held[i], peak <= 0 ? 0.0 : curve[i] / peak - 1));
    }
    return table;
  }

  private static Table many(List<Course> courses) {
    List<String> header = new ArrayList<>(List.of("date"));
    courses.forEach(course -> header.add(course.run().market()));
    Table table = new Table(NAME, header, "account", new ArrayList<>());
    Map<String, Object[]> byTime = new TreeMap<>();
    for (int c = 0; c < courses.size(); c++) {
      Course course = courses.get(c);
      double[] curve = course.run().curve();
      for (int i = 0; i < curve.length; i++) {
        String when = course.market().when(course.run().firstBar() + i);
        byTime.computeIfAbsent(when, day -> blank(courses.size()))[c] = curve[i];
      }
    }
    byTime.forEach(
        (when, values) -> {
          List<Object> row = new ArrayList<>(List.of(when));
          row.addAll(Arrays.asList(values));
          table.add(row);
        });
    return table;
  }

  private static Object[] blank(int count) {
    Object[] row = new Object[count];
    Arrays.fill(row, "");
    return row;
  }
}
