@NullMarked
package dev.imker.charts.search;

import org.jspecify.annotations.NullMarked;
