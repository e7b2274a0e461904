/** Verifies a run with logs that the pool does not keep itself. */
@NullMarked
package dev.imker.chaos.check;

import org.jspecify.annotations.NullMarked;
