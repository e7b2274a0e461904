package dev.imker.model.change;

import dev.imker.model.shared.SharedThing;

/** What tasks share is this from now on. */
public record SharedThingPut(SharedThing thing) implements RecordChange {}
