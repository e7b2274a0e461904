/** The workload of a pool, and the log that its tasks write. */
@NullMarked
package dev.imker.chaos.load;

import org.jspecify.annotations.NullMarked;
