package dev.imker.model.shared;

/**
 * The state of a shared object.
 *
 * @param value of a counter; the round of a barrier
 * @param version grows with every change; of a barrier 1 while all are inside, else 0
 * @param data of a named value
 */
public record SharedThing(SharedKey key, long value, long version, byte[] data) {}
