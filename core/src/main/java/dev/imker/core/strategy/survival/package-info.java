/** The strategy {@code survival}: hands out the work that is expected to be finished. */
@NullMarked
package dev.imker.core.strategy.survival;

import org.jspecify.annotations.NullMarked;
