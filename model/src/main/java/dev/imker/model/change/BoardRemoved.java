package dev.imker.model.change;

import dev.imker.model.ProjectId;

/** Named data was removed from the blackboard. */
public record BoardRemoved(ProjectId project, String name) implements RecordChange {}
