package dev.imker.model.change;

import dev.imker.model.ProjectId;

/**
 * The profile of a project's tasks; replaces the earlier one.
 *
 * @param profileJson with a version; opaque to the store
 */
public record ProjectProfiled(ProjectId project, String profileJson) implements Change {}
