package dev.imker.jobfile.findings;

/**
 * A value of a job file: where it stands and which field it is.
 *
 * @param field as a path, {@code stages[1].needs.memory}; empty for the document itself
 */
public record Spot(Place place, String field) {}
