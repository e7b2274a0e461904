package dev.imker.charts.spec;

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

/** What a file asks for, checked and complete. */
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
    Set<Output> outputs) {

  /** Whether one account trades all markets. */
  public boolean isPortfolio() {
    return strategy.portfolio() != null;
  }

  /** What a plan has to know of the markets; of a portfolio, at the end, all of them as one. */
  public List<MarketInfo> infos(List<Market> markets) {
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
