package dev.imker.model.change;

import dev.imker.model.ProjectId;

/**
 * What is known of a project's tasks, in place of what was kept before.
 *
 * @param profileJson with a version; the store does not look into it
 */
public record ProjectProfiled(ProjectId project, String profileJson) implements Change {}
