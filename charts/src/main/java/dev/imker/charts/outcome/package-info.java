/** What trading a strategy came to: trades, course and figures. */
@NullMarked
package dev.imker.charts.outcome;

import org.jspecify.annotations.NullMarked;
