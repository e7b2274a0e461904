package dev.imker.jobfile.findings;

/**
 * The position and the field of a value in a job file.
 *
 * @param field as a path, {@code stages[1].needs.memory}; empty for the document itself
 */
public record Spot(Place place, String field) {}
