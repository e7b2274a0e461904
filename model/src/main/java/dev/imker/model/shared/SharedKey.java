package dev.imker.model.shared;

/**
 * One thing that tasks share.
 *
 * @param scope of the name: a job, or what several jobs of a user have named the same
 */
public record SharedKey(String scope, SharedKind kind, String name) {}
