package dev.imker.model.shared;

/**
 * An entry in the queue of a shared object: a run that waits for a lock or holds it, is inside a
 * barrier or a member of a group; an item of a queue; an answer that was given to a run.
 *
 * @param number greater than that of every earlier entry in the whole pool
 * @param task such as 12.3, or a name for a program
 * @param lease of the run it represents; empty for items of a queue
 */
public record SharedEntry(long number, SharedKey key, String task, String lease, byte[] data) {}
