package dev.imker.agent.internal.work;

import dev.imker.agent.internal.system.HeldFile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A result file in the work folder, as it was seen. What it is now is known once it is held.
 *
 * @param path relative to the work folder, with slashes
 * @param root the folder of the task, by a path that no task can change
 * @param file where it lies below the root, without links
 */
public record FoundResult(String path, Path root, Path file, long size, boolean executable) {
  /**
   * Takes hold of the file, for as long as it is read.
   *
   * @throws IOException if it is not there any more, or something else is
   */
  public HeldFile hold() throws IOException {
    return HeldFile.below(root, file);
  }
}
