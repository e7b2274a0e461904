/** The tasks of a job in memory: states, dependencies, attempts. */
@NullMarked
package dev.imker.core.internal.tasks;

import org.jspecify.annotations.NullMarked;
