package dev.imker.model.change;

/** Older entries of the audit log were removed. */
public record AuditPruned(long beforeMillis) implements RecordChange {}
