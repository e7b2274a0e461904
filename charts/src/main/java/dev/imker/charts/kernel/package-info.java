/** Computing series: our own kernels over arrays, and ta4j. */
@NullMarked
package dev.imker.charts.kernel;

import org.jspecify.annotations.NullMarked;
