package dev.imker.charts.spec;

import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.market.Markets;
import dev.imker.charts.search.Across;
import dev.imker.charts.search.Objective;
import dev.imker.charts.search.Search;
import dev.imker.charts.search.Selection;
import dev.imker.charts.search.Space;
import dev.imker.charts.strategy.TradingStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a file asks for, checked and complete.
 *
 * @param tasks into how many a pool cuts each round of the work; 0: by its size
 */
public record Analysis(
    Kind kind,
    String name,
    DataSpec data,
    TradingStrategy strategy,
    Space space,
    Search search,
    Objective objective,
    Across across,
    Selection selection,
    WalkForwardSpec walkForward,
    LuckSpec luck,
    List<String> libraries,
    Set<Output> outputs,
    int tasks) {

  /** The markets that are traded, of all that were loaded. */
  public List<Market> traded(List<Market> markets) {
    List<String> names = markets.stream().map(Market::name).toList();
    for (String watched : data.watch()) {
      if (!names.contains(watched)) {
        throw new ChartException(
            "data.watch: there is no market '%s'.%s"
                .formatted(watched, NearestName.hint(watched, names)));
      }
    }
    for (String looked : strategy.sources().markets()) {
      if (!names.contains(looked)) {
        throw new ChartException(
            "The strategy uses market '%s', which is not in the data.%s"
                .formatted(looked, NearestName.hint(looked, names)));
      }
    }
    List<Market> traded =
        markets.stream().filter(market -> !data.watch().contains(market.name())).toList();
    if (traded.isEmpty()) {
      throw new ChartException("data.watch lists all markets, so none is traded.");
    }
    return traded;
  }

  /** Refuses what the strategy wants of Java and no library has. */
  public void check(JavaIndicators java) {
    strategy.sources().java().forEach((name, given) -> java.check(name, List.copyOf(given)));
  }

  /** Whether one account trades all markets. */
  public boolean isPortfolio() {
    return strategy.portfolio() != null;
  }

  /**
   * What a plan has to know of the markets that are traded; of a portfolio, at the end, all of them
   * as one.
   */
  public List<MarketInfo> infos(List<Market> loaded) {
    List<Market> markets = traded(loaded);
    List<MarketInfo> infos = new ArrayList<>(markets.stream().map(Market::info).toList());
    if (isPortfolio()) {
      infos.add(new Markets(markets).calendar().asMarket().info());
    }
    return List.copyOf(infos);
  }

  public enum Kind {
    BACKTEST,
    OPTIMISE,
    WALK_FORWARD;

    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static List<String> labels() {
      return Stream.of(values()).map(Kind::label).toList();
    }
  }

  /** The kinds of files a report consists of. */
  public enum Output {
    XLSX,
    CSV,
    JSON,
    PNG,
    SVG,
    HTML;

    static List<String> labels() {
      return Stream.of(values()).map(o -> o.name().toLowerCase(Locale.ROOT)).toList();
    }
  }
}
