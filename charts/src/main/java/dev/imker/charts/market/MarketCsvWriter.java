package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a market as a plain CSV file that {@link CsvMarkets} reads back bit for bit. */
public final class MarketCsvWriter {
  private MarketCsvWriter() {}

  /** Writes {@code <folder>/<name>.csv} and returns it. */
  public static Path write(Market market, Path folder) {
    StringBuilder text = new StringBuilder("Date,Open,High,Low,Close,Volume\n");
    for (int i = 0; i < market.bars(); i++) {
      text.append(market.when(i)).append(',');
      text.append(market.open()[i]).append(',').append(market.high()[i]).append(',');
      text.append(market.low()[i]).append(',').append(market.close()[i]).append(',');
      text.append((long) market.volume()[i]).append('\n');
    }
    try {
      Files.createDirectories(folder);
      return Files.writeString(folder.resolve(market.name() + ".csv"), text);
    } catch (IOException e) {
      throw new ChartException("Cannot write into " + folder + ": " + e.getMessage(), e);
    }
  }
}
