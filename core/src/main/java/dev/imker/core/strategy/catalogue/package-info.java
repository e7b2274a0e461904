/** The strategies that can be chosen by name. */
@NullMarked
package dev.imker.core.strategy.catalogue;

import org.jspecify.annotations.NullMarked;
