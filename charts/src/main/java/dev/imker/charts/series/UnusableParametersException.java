package dev.imker.charts.series;

import dev.imker.charts.ChartException;
import org.jspecify.annotations.Nullable;

/**
 * An indicator cannot be computed with these numbers, such as a moving average over 0 bars. An
 * optimisation leaves the combination out; a backtest fails with this message.
 */
public final class UnusableParametersException extends ChartException {
  private static final long serialVersionUID = 1;

  public UnusableParametersException(String message) {
    super(message);
  }

  public UnusableParametersException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
