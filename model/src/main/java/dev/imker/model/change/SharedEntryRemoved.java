package dev.imker.model.change;

import dev.imker.model.shared.SharedEntry;

/** An entry was removed from the queue of a shared object. */
public record SharedEntryRemoved(SharedEntry entry) implements RecordChange {}
