package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.strategy.Orders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the orders that rest in the market, such as {stop-loss: 5, take-profit: 10}. */
final class OrdersReader {
  private static final double WHOLE = 100;

  private final SeriesReader series;
  private final Quantities quantities;

  OrdersReader(SeriesReader series, Quantities quantities) {
    this.series = series;
    this.quantities = quantities;
  }

  Orders read(@Nullable YamlValue value, String label) {
    if (value == null) {
      return Orders.NONE;
    }
    Map<String, YamlValue> map =
        value.map(List.of("entry", "stop-loss", "trailing-stop", "take-profit"));
    YamlValue entry = map.get("entry");
    return new Orders(
        entry == null ? null : entry(entry, label + ".entry"),
        stop(map.get("stop-loss"), label + ".stop-loss"),
        stop(map.get("trailing-stop"), label + ".trailing-stop"),
        targets(map.get("take-profit"), label + ".take-profit"));
  }

  private Orders.Entry entry(YamlValue value, String label) {
    Map<String, YamlValue> map = value.map(List.of("stop", "limit", "bars"));
    YamlValue stop = map.get("stop");
    YamlValue limit = map.get("limit");
    YamlValue level = stop == null ? limit : stop;
    if (level == null || (stop != null && limit != null)) {
      throw value.error(
          "give the price of the order, as stop or as limit, as in {stop: high, bars: 3}.");
    }
    return new Orders.Entry(
        stop != null, series.number(level, label), quantity(map.get("bars"), label + ".bars", 1));
  }

  private List<Orders.Target> targets(@Nullable YamlValue value, String label) {
    List<Orders.Target> targets = new ArrayList<>();
    if (value == null) {
      return targets;
    }
    boolean several = value.isList() && !Quantities.looksLikeNumber(value);
    for (YamlValue item : several ? value.items() : List.of(value)) {
      String name = several ? label + "." + (targets.size() + 1) : label;
      YamlValue share = item.isMap() ? item.map().get("share") : null;
      targets.add(
          new Orders.Target(
              distance(item, name, Double.POSITIVE_INFINITY),
              share == null ? null : quantities.read(share, name + ".share", 0, WHOLE)));
    }
    double shares =
        targets.stream()
            .mapToDouble(
                target -> target.sharePercent() instanceof Quantity.Fixed(double part) ? part : 0)
            .sum();
    if (shares > WHOLE) {
      throw value.error("the shares add up to %.0f %% of the position.".formatted(shares));
    }
    return targets;
  }

  private Orders.@Nullable Distance stop(@Nullable YamlValue value, String label) {
    return value == null ? null : distance(value, label, WHOLE);
  }

  private Orders.Distance distance(YamlValue value, String label, double most) {
    if (Quantities.looksLikeNumber(value)) {
      return new Orders.Distance(quantities.read(value, label, 0, most), null);
    }
    boolean ofTarget = label.contains("take-profit");
    Map<String, YamlValue> map =
        value.map(
            ofTarget
                ? List.of("percent", "atr", "bars", "share")
                : List.of("percent", "atr", "bars"));
    YamlValue percent = map.get("percent");
    YamlValue atr = map.get("atr");
    if (percent != null && atr == null && !map.containsKey("bars")) {
      return new Orders.Distance(quantities.read(percent, label, 0, most), null);
    }
    if (atr == null || percent != null) {
      throw value.error(
          "give the distance in percent or in average true ranges, as in 5, {percent: 5}"
              + " or {atr: 2, bars: 14}.");
    }
    return new Orders.Distance(
        quantities.read(atr, label, 0, Double.POSITIVE_INFINITY),
        quantity(map.get("bars"), label + ".bars", 14));
  }

  private Quantity quantity(@Nullable YamlValue value, String label, double otherwise) {
    return value == null
        ? Quantity.of(otherwise)
        : quantities.read(value, label, 1, Double.POSITIVE_INFINITY);
  }
}
