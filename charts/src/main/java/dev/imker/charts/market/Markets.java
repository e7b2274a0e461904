package dev.imker.charts.market;

import dev.imker.charts.ChartException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The candles that a part of an analysis needs, by market; made once, read by many threads. */
public final class Markets {
  private final Map<String, Market> byName = new LinkedHashMap<>();
  private @Nullable CommonCalendar calendar;

  public Markets(List<Market> markets) {
    markets.forEach(market -> byName.put(market.name(), market));
  }

  public List<Market> all() {
    return List.copyOf(byName.values());
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
