/** Strategies: which project's task does a node get. */
@NullMarked
package dev.imker.core.strategy;

import org.jspecify.annotations.NullMarked;
