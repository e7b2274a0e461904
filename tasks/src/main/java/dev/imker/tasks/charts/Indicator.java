package dev.imker.tasks.charts;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A custom indicator for chart analyses: a public static method in a library that the analysis
 * lists under {@code libraries}. It takes {@link Candles} first, then numbers ({@code int} or
 * {@code double}) and other indicators ({@code double[]}), and returns a value for every candle:
 * {@code double[]}, NaN where there is none, or {@code boolean[]}.
 *
 * <pre>{@code
 * @Indicator(name = "edge", parameters = {"of", "bars"})
 * public static double[] edge(Candles candles, double[] of, int bars) { … }
 * }</pre>
 *
 * <p>A value must not depend on later candles. This is checked with shortened candles, and an
 * indicator that violates it is rejected.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Indicator {
  /** Its name in analysis files. */
  String name();

  /** The names of the parameters after the candles in analysis files, in order. */
  String[] parameters() default {};
}
