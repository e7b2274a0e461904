package dev.imker.sim.config;

import dev.imker.model.ProjectId;

/** Tasks of a project that are submitted after the given minute (0: before the first). */
public record Arrival(int afterMinute, ProjectId project, int count, RunTimes runTimes) {}
