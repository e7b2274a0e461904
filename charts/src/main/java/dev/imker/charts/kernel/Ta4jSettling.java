package dev.imker.charts.kernel;

import dev.imker.charts.ChartException;
import dev.imker.charts.series.Seeding;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ta4j.core.Indicator;
import org.ta4j.core.indicators.averages.AbstractEMAIndicator;
import org.ta4j.core.num.Num;

/**
 * For how many bars more than ta4j says an indicator depends on where the data begin: the
 * exponential and Wilder's averages inside of it start with a single value, which ta4j counts as
 * forgotten after as many bars as the average has.
 */
final class Ta4jSettling {
  private Ta4jSettling() {}

  /** Averages of averages add up; of several side by side, the slowest counts. */
  static int moreBars(Indicator<?> indicator) {
    return moreBars(indicator, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /**
   * @param within what this is a part of
   */
  private static int moreBars(Indicator<?> indicator, Set<Indicator<?>> within) {
    if (!within.add(indicator)) {
      return 0;
    }
    int more = 0;
    for (Class<?> type = indicator.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && Indicator.class.isAssignableFrom(field.getType())
            && value(field, indicator) instanceof Indicator<?> part) {
          more = Math.max(more, moreBars(part, within));
        }
      }
    }
    within.remove(indicator);
    return indicator instanceof AbstractEMAIndicator average ? more + own(average) : more;
  }

  private static int own(AbstractEMAIndicator average) {
    try {
      Field multiplier = AbstractEMAIndicator.class.getDeclaredField("multiplier");
      Object weight = value(multiplier, average);
      return weight instanceof Num number
          ? Math.max(0, Seeding.settlingBars(number.doubleValue()) - average.getBarCount())
          : 0;
    } catch (NoSuchFieldException e) {
      throw new ChartException("This version of ta4j is not known: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object value(Field field, Indicator<?> of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new ChartException("This version of ta4j is not known: " + e.getMessage(), e);
    }
  }
}
