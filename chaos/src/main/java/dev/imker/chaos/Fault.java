package dev.imker.chaos;

/**
 * Something that is to happen.
 *
 * @param afterMillis pause since the last one
 * @param choice which of several it meets: any number, taken modulo how many there are
 * @param lastsMillis how long until it is put right
 */
record Fault(FaultKind kind, long afterMillis, int choice, long lastsMillis) {}
