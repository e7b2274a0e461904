package dev.imker.model.change;

import dev.imker.model.shared.SharedEntry;

/** It is there no longer. */
public record SharedEntryRemoved(SharedEntry entry) implements RecordChange {}
