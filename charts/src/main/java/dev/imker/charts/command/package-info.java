/** The chart commands, run in this process. */
@NullMarked
package dev.imker.charts.command;

import org.jspecify.annotations.NullMarked;
