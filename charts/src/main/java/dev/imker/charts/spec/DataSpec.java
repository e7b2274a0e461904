package dev.imker.charts.spec;

import dev.imker.charts.market.CsvDialect;
import dev.imker.charts.market.MarketModel;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the candles come from; of files, set and synthetic exactly one is given.
 *
 * @param files files, folders and patterns such as {@code data/*.csv}, relative to the analysis
 * @param set the name of a data set kept elsewhere
 */
public record DataSpec(
    List<String> files,
    @Nullable String set,
    @Nullable Synthetic synthetic,
    CsvDialect dialect,
    @Nullable LocalDate from,
    @Nullable LocalDate to) {
  public DataSpec {
    files = List.copyOf(files);
  }

  /** Markets to be made up. */
  public record Synthetic(int markets, int years, long seed, MarketModel model) {}
}
