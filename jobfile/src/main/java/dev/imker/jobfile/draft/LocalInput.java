package dev.imker.jobfile.draft;

/**
 * A file that must be sent to the pool before its job is.
 *
 * @param stage position of the stage that needs it
 * @param source how {@code JobFiles} finds it; for files on disk their path
 * @param path in the work folder
 * @param os empty means every system
 * @param param only for tasks whose value of this parameter is its path; empty means for all
 */
public record LocalInput(
    int stage,
    String source,
    String path,
    long size,
    boolean executable,
    String os,
    String param) {}
