@NullMarked
package dev.imker.charts.report;

import org.jspecify.annotations.NullMarked;
