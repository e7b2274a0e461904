/** The space of parameters: enumeration, sampling, objectives, selection, robustness. */
@NullMarked
package dev.imker.charts.search;

import org.jspecify.annotations.NullMarked;
