/** Strategies, which choose the project whose task a node gets. */
@NullMarked
package dev.imker.core.strategy;

import org.jspecify.annotations.NullMarked;
