package dev.imker.model.change;

import dev.imker.model.shared.SharedKey;

/** What tasks shared is forgotten, but for what is in its line. */
public record SharedThingRemoved(SharedKey key) implements RecordChange {}
