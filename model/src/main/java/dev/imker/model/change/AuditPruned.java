package dev.imker.model.change;

/** The record of who did what begins here. */
public record AuditPruned(long beforeMillis) implements RecordChange {}
