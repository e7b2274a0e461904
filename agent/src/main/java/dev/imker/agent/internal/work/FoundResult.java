package dev.imker.agent.internal.work;

import java.nio.file.Path;

/**
 * A result file in the work folder. The path is relative with slashes, the file is where it lies.
 */
public record FoundResult(String path, Path file, long size, boolean executable) {}
