@NullMarked
package dev.imker.charts.strategy;

import org.jspecify.annotations.NullMarked;
