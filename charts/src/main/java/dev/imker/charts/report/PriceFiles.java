package dev.imker.charts.report;

import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The candles that the courses of a result went through, as short CSV files: what is needed to draw
 * them with the trades, without the data that the analysis was made of.
 */
final class PriceFiles {
  private static final MathContext DIGITS = new MathContext(6, RoundingMode.HALF_UP);

  private PriceFiles() {}

  /** By the name of the file. A portfolio has no price of its own. */
  static Map<String, String> of(Courses courses) {
    Map<String, String> files = new LinkedHashMap<>();
    for (Courses.Course course : courses.all()) {
      if (!course.run().market().equals(CommonCalendar.NAME)) {
        files.put(course.file(), csv(course.market(), course.run()));
      }
    }
    return files;
  }

  private static String csv(Market market, MarketRun run) {
    StringBuilder text = new StringBuilder("date,open,high,low,close\n");
    for (int bar = run.firstBar(); bar < run.firstBar() + run.curve().length; bar++) {
      text.append(market.when(bar));
      number(text, market.open()[bar]);
      number(text, market.high()[bar]);
      number(text, market.low()[bar]);
      number(text, market.close()[bar]);
      text.append('\n');
    }
    return text.toString();
  }

  private static void number(StringBuilder text, double value) {
    text.append(',');
    if (Double.isFinite(value)) {
      text.append(BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros().toPlainString());
    }
  }
}
