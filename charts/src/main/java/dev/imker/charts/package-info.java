/** Chart analyses on one machine: commands, failures, progress and cancellation. */
@NullMarked
package dev.imker.charts;

import org.jspecify.annotations.NullMarked;
