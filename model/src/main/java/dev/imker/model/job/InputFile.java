package dev.imker.model.job;

import dev.imker.model.BlobId;
import java.util.List;
import java.util.Objects;

/**
 * A file placed in the work folder before the task starts; the path is relative to it.
 *
 * @param os the operating system this variant of the file is for; empty means every one
 * @param param the file is only for tasks whose value of this parameter is its path; empty means
 *     for every task
 */
public record InputFile(
    String path, BlobId blob, long size, boolean executable, String os, String param) {
  public InputFile {
    // Older jobs do not have this field.
    param = Objects.requireNonNullElse(param, "");
  }

  public InputFile(String path, BlobId blob, long size, boolean executable, String os) {
    this(path, blob, size, executable, os, "");
  }

  public InputFile(String path, BlobId blob, long size, boolean executable) {
    this(path, blob, size, executable, "");
  }

  /** Whether machines with this operating system get the file. */
  public boolean isFor(String system) {
    return os.isEmpty() || os.equalsIgnoreCase(system);
  }

  /** Whether a task with these parameter values gets the file. */
  public boolean isFor(List<String> paramNames, List<String> values) {
    if (param.isEmpty()) {
      return true;
    }
    int position = paramNames.indexOf(param);
    return position >= 0 && values.get(position).equals(path);
  }
}
