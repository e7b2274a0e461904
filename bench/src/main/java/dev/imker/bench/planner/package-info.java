/** Planners in processes of their own, so that endless ones can be terminated. */
@NullMarked
package dev.imker.bench.planner;

import org.jspecify.annotations.NullMarked;
