package dev.imker.agent.internal.work;

import dev.imker.model.ImkerException;

/** Paths inside a work folder as jobs write them: relative, with slashes, never leading out. */
final class RelativePath {
  private RelativePath() {}

  /**
   * Checks a path or a pattern of paths.
   *
   * @throws ImkerException when it is empty, absolute, or has {@code ..} or {@code .} in it
   */
  static String check(String what, String path) {
    boolean outside = path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0;
    for (String name : path.split("/", -1)) {
      outside |= name.equals("..") || name.equals(".") || name.isEmpty();
    }
    if (outside) {
      throw new ImkerException(
          "The " + what + " '" + path + "' does not lie inside the task's work folder.");
    }
    return path;
  }
}
