@NullMarked
package dev.imker.charts.market;

import org.jspecify.annotations.NullMarked;
