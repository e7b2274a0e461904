package dev.imker.jobfile;

import org.jspecify.annotations.Nullable;

/** Paths inside the work folder of a task: relative, with slashes, never out of it. */
final class WorkPaths {
  private static final int MOST_CHARS = 1000;

  private WorkPaths() {}

  /** What is wrong with a path or pattern; null if nothing is. */
  static @Nullable String problem(String path) {
    if (path.isEmpty() || path.length() > MOST_CHARS) {
      return "it must have 1 to " + MOST_CHARS + " characters";
    }
    if (path.startsWith("/") || path.contains("\\") || path.matches("[A-Za-z]:.*")) {
      return "it must be relative to the work folder, with slashes";
    }
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return "empty parts, . and .. are not possible";
      }
    }
    return null;
  }
}
