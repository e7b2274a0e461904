package dev.imker.model.shared;

/**
 * Something in the line of a thing: who waits for a lock or holds it, who is inside of a barrier or
 * a member of a group, what is in a queue, what a run was told.
 *
 * @param number greater than that of every entry before, in the whole pool
 * @param task such as 12.3, or a name for a program
 * @param lease of the run that it stands for; empty for what is in a queue
 */
public record SharedEntry(long number, SharedKey key, String task, String lease, byte[] data) {}
