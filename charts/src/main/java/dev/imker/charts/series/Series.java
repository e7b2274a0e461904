package dev.imker.charts.series;

/**
 * One value per bar; NaN where there is none. Booleans are 1 and 0.
 *
 * @param values shared, not to be changed
 * @param unstableBars how many first bars are not yet settled: they have no value, or one that
 *     still depends on where the data begins
 */
public record Series(double[] values, int unstableBars) {}
