package dev.imker.model.change;

import dev.imker.model.account.AuditEntry;

/** An entry of the audit log. */
public record Audited(AuditEntry entry) implements RecordChange {}
