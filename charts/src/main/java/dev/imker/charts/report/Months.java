package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an account gained in every month and year. */
final class Months {
  static final List<String> HEADER =
      List.of(
          "market",
          "year",
          "Jan",
          "Feb",
          "Mar",
          "Apr",
          "May",
          "Jun",
          "Jul",
          "Aug",
          "Sep",
          "Oct",
          "Nov",
          "Dec",
          "whole year");
  private static final int MONTHS = 12;

  private Months() {}

  static void addTo(Table table, MarketRun run, Market market) {
    Map<Integer, double[]> years = new TreeMap<>();
    double before = run.curve()[0];
    double yearBefore = before;
    int last = run.curve().length - 1;
    for (int i = 0; i <= last; i++) {
      LocalDate day = market.date(run.firstBar() + i);
      LocalDate next = i == last ? day.plusYears(1) : market.date(run.firstBar() + i + 1);
      boolean yearEnds = next.getYear() != day.getYear();
      if (yearEnds || next.getMonth() != day.getMonth()) {
        double[] row = years.computeIfAbsent(day.getYear(), year -> empty());
        row[day.getMonthValue() - 1] = gain(before, run.curve()[i]);
        before = run.curve()[i];
      }
      if (yearEnds) {
        years.computeIfAbsent(day.getYear(), year -> empty())[MONTHS] =
            gain(yearBefore, run.curve()[i]);
        yearBefore = run.curve()[i];
      }
    }
    years.forEach((year, gains) -> table.add(row(run.market(), year, gains)));
  }

  private static double[] empty() {
    double[] row = new double[MONTHS + 1];
    Arrays.fill(row, Double.NaN);
    return row;
  }

  private static double gain(double before, double after) {
    return before <= 0 ? 0 : after / before - 1;
  }

  private static List<Object> row(String market, int year, double[] gains) {
    List<Object> row = new ArrayList<>(List.of(market, Integer.toString(year)));
    for (double gain : gains) {
      row.add(Double.isNaN(gain) ? "" : gain);
    }
    return row;
  }
}
