package dev.imker.charts.report;

import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.study.ChartJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the page needs to draw the courses by itself. */
final class PlotData {
  private PlotData() {}

  private record Plot(
      String name, double[] days, double[] account, double[] held, List<List<Object>> exits) {}

  /** JSON that may stand inside a script of a page. */
  static String json(Courses courses) {
    List<Plot> plots = new ArrayList<>();
    for (Courses.Course course : courses.all()) {
      plots.add(
          new Plot(
              course.run().market(),
              course.days(),
              rounded(course.run().curve()),
              rounded(course.buyAndHold()),
              course.run().trades().stream()
                  .filter(trade -> !trade.open())
                  .map(trade -> exit(trade, course.run().firstBar()))
                  .toList()));
    }
    return ChartJson.write(plots).replace("</", "<\\/").replace("<!--", "<\\!--");
  }

  private static List<Object> exit(Trade trade, int firstBar) {
    return List.of(
        trade.exitBar() - firstBar,
        trade.profit() > 0,
        "%s %s, %s to %s: %s, %s"
            .formatted(
                trade.market(),
                trade.side(),
                trade.entryDate(),
                trade.exitDate(),
                NumberTexts.figure(Figure.TOTAL_RETURN, trade.profitRate()),
                trade.reason()));
  }

  private static double[] rounded(double[] values) {
    return Arrays.stream(values).map(value -> Math.rint(value * 100) / 100).toArray();
  }
}
