package dev.imker.model.change;

import dev.imker.model.account.AuditEntry;

/** Something goes into the record of who did what. */
public record Audited(AuditEntry entry) implements RecordChange {}
