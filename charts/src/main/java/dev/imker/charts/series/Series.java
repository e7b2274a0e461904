package dev.imker.charts.series;

/**
 * One value per bar; NaN where there is none. Booleans are 1 and 0.
 *
 * @param values shared, not to be changed
 * @param unstableBars how many first bars ta4j regards as not yet settled
 */
public record Series(double[] values, int unstableBars) {}
