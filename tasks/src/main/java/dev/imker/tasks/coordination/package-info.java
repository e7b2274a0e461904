/** How tasks wait for each other, wherever they run. */
@NullMarked
package dev.imker.tasks.coordination;

import org.jspecify.annotations.NullMarked;
