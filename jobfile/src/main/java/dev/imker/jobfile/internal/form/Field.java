package dev.imker.jobfile.internal.form;

/**
 * A field of a job file.
 *
 * @param help its description in one sentence, for the schema and the reference
 */
public record Field<T>(String name, Kind<T> kind, String help) {}
