/** Clock, ticks and health of the scheduler's loop. */
@NullMarked
package dev.imker.server.loop.pulse;

import org.jspecify.annotations.NullMarked;
