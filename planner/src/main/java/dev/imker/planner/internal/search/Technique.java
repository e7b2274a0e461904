package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Stopwatch;
import org.jspecify.annotations.Nullable;

/** A way to solve a problem. */
interface Technique {
  /** The answer, or null if this technique cannot tell. */
  @Nullable Solution run(Stopwatch stopwatch);
}
