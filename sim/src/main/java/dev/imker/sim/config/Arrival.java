package dev.imker.sim.config;

import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;

/**
 * Tasks of a project that are submitted after the given minute (0: before the first).
 *
 * @param needs the needs of each of them
 */
public record Arrival(
    int afterMinute, ProjectId project, int count, RunTimes runTimes, Requirements needs) {
  public Arrival(int afterMinute, ProjectId project, int count, RunTimes runTimes) {
    this(afterMinute, project, count, runTimes, Requirements.ANY);
  }
}
