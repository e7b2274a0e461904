/** Candles of markets: from CSV files of the usual dialects, or synthetic. */
@NullMarked
package dev.imker.charts.market;

import org.jspecify.annotations.NullMarked;
