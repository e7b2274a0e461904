package dev.imker.server.internal.rest.overview;

import org.jspecify.annotations.Nullable;

/**
 * Something that needs a person's attention.
 *
 * @param kind what it is, for programs: AUTO_BLOCKED, NO_NODE_FITS, NO_MACHINE, LONG_QUEUE,
 *     FLAPPING, FAILING, RESTORED, RECHECKED
 * @param user whose work it is about; null if it concerns everybody
 * @param title what is wrong, in a few words
 * @param reason why, in words
 */
public record Attention(
    String kind,
    @Nullable String user,
    @Nullable Long job,
    @Nullable String node,
    String title,
    String reason) {}
