package dev.imker.model.change;

/** A token does not work any more. */
public record TokenRemoved(String hash) implements RecordChange {}
