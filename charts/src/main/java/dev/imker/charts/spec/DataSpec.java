package dev.imker.charts.spec;

import dev.imker.charts.market.CsvDialect;
import dev.imker.charts.market.Frame;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.Session;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the candles come from; of files, set and synthetic exactly one is given.
 *
 * @param files files, folders and patterns such as {@code data/*.csv}, relative to the analysis
 * @param set the name of a data set kept elsewhere
 * @param bars what the candles are put together to; null: as they are
 * @param session when the markets trade; null: always
 * @param watch markets that rules may look at, but that are not traded
 */
public record DataSpec(
    List<String> files,
    @Nullable String set,
    @Nullable Synthetic synthetic,
    CsvDialect dialect,
    @Nullable LocalDate from,
    @Nullable LocalDate to,
    @Nullable Frame bars,
    @Nullable Session session,
    List<String> watch) {
  public DataSpec {
    files = List.copyOf(files);
    watch = List.copyOf(watch);
  }

  /** Markets to be made up. */
  public record Synthetic(int markets, int years, long seed, MarketModel model) {}
}
