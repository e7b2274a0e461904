/** Indicator series on primitive arrays, and the catalogue of ta4j by name. */
@NullMarked
package dev.imker.charts.series;

import org.jspecify.annotations.NullMarked;
