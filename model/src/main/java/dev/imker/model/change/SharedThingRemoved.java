package dev.imker.model.change;

import dev.imker.model.shared.SharedKey;

/** A shared object was removed, except for the entries in its queue. */
public record SharedThingRemoved(SharedKey key) implements RecordChange {}
