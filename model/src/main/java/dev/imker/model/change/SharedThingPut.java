package dev.imker.model.change;

import dev.imker.model.shared.SharedThing;

/** A shared object has a new value. */
public record SharedThingPut(SharedThing thing) implements RecordChange {}
