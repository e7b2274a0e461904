package dev.imker.model.change;

import dev.imker.model.ProjectId;

/** Named data is no longer on the blackboard. */
public record BoardRemoved(ProjectId project, String name) implements RecordChange {}
