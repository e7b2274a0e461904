package dev.imker.model.shared;

/**
 * The key of an object that tasks share.
 *
 * @param scope of the name: a job, or a scope shared by several jobs of a user
 */
public record SharedKey(String scope, SharedKind kind, String name) {}
