package dev.imker.charts.report;

import dev.imker.charts.report.Courses.Course;
import java.time.LocalDate;
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
      String date = course.market().date(course.run().firstBar() + i).toString();
      table.add(List.of(date, curve[i], held[i], peak <= 0 ? 0.0 : curve[i] / peak - 1));
    }
    return table;
  }

  private static Table many(List<Course> courses) {
    List<String> header = new ArrayList<>(List.of("date"));
    courses.forEach(course -> header.add(course.run().market()));
    Table table = new Table(NAME, header);
    Map<Integer, Object[]> byDay = new TreeMap<>();
    for (int c = 0; c < courses.size(); c++) {
      int[] days = courses.get(c).epochDays();
      for (int i = 0; i < days.length; i++) {
        byDay.computeIfAbsent(days[i], day -> blank(courses.size()))[c] =
            courses.get(c).run().curve()[i];
      }
    }
    byDay.forEach(
        (day, values) -> {
          List<Object> row = new ArrayList<>(List.of(LocalDate.ofEpochDay(day).toString()));
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
