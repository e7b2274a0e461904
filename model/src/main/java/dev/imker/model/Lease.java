package dev.imker.model;

/** The right of one agent to run one task. Only a result with the current token counts. */
public record Lease(TaskId task, LeaseToken token) {}
