package dev.imker.model.change;

import dev.imker.model.shared.SharedEntry;

/** Somebody or something is in the line of a thing that tasks share. */
public record SharedEntryPut(SharedEntry entry) implements RecordChange {}
