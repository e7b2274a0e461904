@NullMarked
package dev.imker.core.strategy.survival;

import org.jspecify.annotations.NullMarked;
