package dev.imker.bench.planner;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

interface PlannerContender {
  /** Reads and solves an instance; returns how it ended, as {@link PlannerRun} has it. */
  String solve(Path domain, Path problem, Duration timeout) throws IOException;
}
