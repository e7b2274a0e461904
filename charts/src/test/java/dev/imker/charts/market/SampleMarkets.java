package dev.imker.charts.market;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Markets for tests: one of every synthetic model, and the sample data of ta4j's own tests. */
public final class SampleMarkets {
  private SampleMarkets() {}

  public static List<Market> all() {
    return Stream.concat(
            Stream.of(MarketModel.values()).map(SampleMarkets::synthetic),
            Stream.of("SMMA", "VIDYA", "TMA").map(SampleMarkets::ofTa4j))
        .toList();
  }

  public static Market synthetic(MarketModel model) {
    Market made = SyntheticMarkets.generate(1, 4, 7 + model.ordinal(), model).getFirst();
    return renamed(made, model.label());
  }

  private static Market renamed(Market m, String name) {
    return new Market(name, m.epochDays(), m.open(), m.high(), m.low(), m.close(), m.volume());
  }

  /** The minute candles of ta4j's sample, taken as days. */
  public static Market ofTa4j(String name) {
    String path = "/org/ta4j/core/indicators/averages/" + name + ".csv";
    try (InputStream in = SampleMarkets.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("no sample " + path);
      }
      List<double[]> rows =
          new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
              .lines()
              .skip(1)
              .map(line -> Stream.of(line.split(",", -1)).skip(1).limit(4))
              .map(fields -> fields.mapToDouble(Double::parseDouble).toArray())
              .toList();
      int[] days = new int[rows.size()];
      for (int i = 0; i < days.length; i++) {
        days[i] = 10_000 + i;
      }
      return new Market(
          "ta4j-" + name,
          days,
          column(rows, 0),
          column(rows, 1),
          column(rows, 2),
          column(rows, 3),
          new double[rows.size()]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double[] column(List<double[]> rows, int column) {
    return rows.stream().mapToDouble(row -> row[column]).toArray();
  }
}
