/** Whole jobs: adding, removing, orders for ranges of tasks, failure strategies. */
@NullMarked
package dev.imker.core.internal.jobs;

import org.jspecify.annotations.NullMarked;
