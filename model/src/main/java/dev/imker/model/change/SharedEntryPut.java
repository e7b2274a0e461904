package dev.imker.model.change;

import dev.imker.model.shared.SharedEntry;

/** An entry was added to the queue of a shared object. */
public record SharedEntryPut(SharedEntry entry) implements RecordChange {}
