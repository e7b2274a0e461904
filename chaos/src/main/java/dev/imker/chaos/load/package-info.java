/** Work for the pool, and the log that its tasks keep. */
@NullMarked
package dev.imker.chaos.load;

import org.jspecify.annotations.NullMarked;
