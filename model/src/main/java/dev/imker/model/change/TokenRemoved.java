package dev.imker.model.change;

/** A token was revoked. */
public record TokenRemoved(String hash) implements RecordChange {}
