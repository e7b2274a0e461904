package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The candles that a part of an analysis needs, by market; made once, read by many threads. Some
 * may be there to be looked at only.
 */
public final class Markets {
  private final Map<String, Market> byName = new LinkedHashMap<>();
  private final List<Market> traded;
  private final List<Market> watched;
  private @Nullable CommonCalendar calendar;

  public Markets(List<Market> markets) {
    this(markets, List.of());
  }

  /**
   * @param watched not traded
   */
  public Markets(List<Market> traded, List<Market> watched) {
    this.traded = List.copyOf(traded);
    this.watched = List.copyOf(watched);
    watched.forEach(market -> byName.put(market.name(), market));
    traded.forEach(market -> byName.put(market.name(), market));
  }

  /** Those that are traded. */
  public List<Market> all() {
    return traded;
  }

  public List<Market> watched() {
    return watched;
  }

  /** All of them on one calendar. */
  public synchronized CommonCalendar calendar() {
    CommonCalendar known = calendar;
    if (known == null) {
      known = new CommonCalendar(all());
      calendar = known;
    }
    return known;
  }

  /** A market, or all of them as one if that is asked for. */
  public Market get(String name) {
    Market market = byName.get(name);
    if (market == null && name.equals(CommonCalendar.NAME)) {
      return calendar().asMarket();
    }
    if (market == null) {
      throw new ChartException("There are no candles of market '" + name + "'.");
    }
    return market;
  }
}
