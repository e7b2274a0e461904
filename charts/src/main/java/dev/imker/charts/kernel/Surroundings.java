package dev.imker.charts.kernel;

import dev.imker.charts.ChartException;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.market.Market;
import java.util.function.Function;

/**
 * What the indicators of a market may use besides its candles.
 *
 * @param markets others by name; throws ChartException for unknown ones
 * @param java indicators of the user
 */
public record Surroundings(Function<String, Market> markets, JavaIndicators java) {
  public static final Surroundings NONE =
      new Surroundings(
          name -> {
            throw new ChartException("There are no candles of market '" + name + "'.");
          },
          JavaIndicators.NONE);
}
