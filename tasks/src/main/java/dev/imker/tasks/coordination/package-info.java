/** Coordination between tasks, wherever they run. */
@NullMarked
package dev.imker.tasks.coordination;

import org.jspecify.annotations.NullMarked;
