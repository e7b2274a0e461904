/** Rules, trading terms, the simulated trader and the figures of its performance. */
@NullMarked
package dev.imker.charts.strategy;

import org.jspecify.annotations.NullMarked;
