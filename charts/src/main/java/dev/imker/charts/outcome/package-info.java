/** The outcome of trading: trades, equity curve, figures. */
@NullMarked
package dev.imker.charts.outcome;

import org.jspecify.annotations.NullMarked;
