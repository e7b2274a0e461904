package dev.imker.core.message;

import dev.imker.model.ProjectId;

/** How much of a project's work is ready and running. */
public record ProjectView(ProjectId project, int ready, int working) {}
