@NullMarked
package dev.imker.charts.study;

import org.jspecify.annotations.NullMarked;
