/** The strategies one can choose by name. */
@NullMarked
package dev.imker.core.strategy.catalogue;

import org.jspecify.annotations.NullMarked;
