/** The chart commands, executed in this process. */
@NullMarked
package dev.imker.charts.command;

import org.jspecify.annotations.NullMarked;
