/** State transitions of tasks and their consequences. */
@NullMarked
package dev.imker.core.internal.steps;

import org.jspecify.annotations.NullMarked;
