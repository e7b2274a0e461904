package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The deepest falls of an account from a peak. */
final class DrawDowns {
  static final List<String> HEADER =
      List.of(
          "market",
          "depth",
          "peak date",
          "lowest date",
          "recovered date",
          "days down",
          "days back");
  private static final int MOST = 10;

  private DrawDowns() {}

  /**
   * A fall; bars are those of the curve.
   *
   * @param recovered the first bar that is as high as the peak; -1 if there is none yet
   */
  record Fall(double depth, int peak, int lowest, int recovered) {}

  static List<Fall> of(double[] curve) {
    List<Fall> falls = new ArrayList<>();
    int peak = 0;
    int lowest = 0;
    for (int bar = 1; bar < curve.length; bar++) {
      if (curve[bar] >= curve[peak]) {
        add(falls, curve, peak, lowest, bar);
        peak = bar;
        lowest = bar;
      } else if (curve[bar] < curve[lowest]) {
        lowest = bar;
      }
    }
    add(falls, curve, peak, lowest, -1);
    falls.sort(Comparator.comparingDouble(Fall::depth).reversed());
    return falls.subList(0, Math.min(MOST, falls.size()));
  }

  private static void add(List<Fall> falls, double[] curve, int peak, int lowest, int recovered) {
    if (lowest > peak && curve[peak] > 0) {
      falls.add(new Fall(1 - curve[lowest] / curve[peak], peak, lowest, recovered));
    }
  }

  static void addTo(Table table, MarketRun run, Market market) {
    for (Fall fall : of(run.curve())) {
      LocalDate peak = market.date(run.firstBar() + fall.peak());
      LocalDate lowest = market.date(run.firstBar() + fall.lowest());
      boolean over = fall.recovered() >= 0;
      LocalDate back = over ? market.date(run.firstBar() + fall.recovered()) : lowest;
      table.add(
          List.of(
              run.market(),
              fall.depth(),
              peak.toString(),
              lowest.toString(),
              over ? back.toString() : "",
              (double) ChronoUnit.DAYS.between(peak, lowest),
              over ? (Object) (double) ChronoUnit.DAYS.between(lowest, back) : ""));
    }
  }
}
