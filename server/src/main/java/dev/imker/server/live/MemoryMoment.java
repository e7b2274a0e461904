package dev.imker.server.live;

/**
 * A moment in the life of a state in memory.
 *
 * @param epoch of that state
 * @param departures how many jobs had left it by then
 */
record MemoryMoment(long epoch, long departures) {}
