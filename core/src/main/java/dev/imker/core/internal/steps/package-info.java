/** Steps of tasks from state to state, and what follows from them. */
@NullMarked
package dev.imker.core.internal.steps;

import org.jspecify.annotations.NullMarked;
