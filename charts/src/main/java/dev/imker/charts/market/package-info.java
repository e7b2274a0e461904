/** Candles of markets, from CSV files of common dialects or synthetic; days, hours, sessions. */
@NullMarked
package dev.imker.charts.market;

import org.jspecify.annotations.NullMarked;
