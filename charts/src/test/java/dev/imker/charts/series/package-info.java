@NullMarked
package dev.imker.charts.series;

import org.jspecify.annotations.NullMarked;
