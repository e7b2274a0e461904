package dev.imker.agent.internal.work;

import dev.imker.model.ImkerException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which files of a work folder are results. A pattern without wildcards names a file, or a folder
 * with all that is in it. {@code *.txt} matches in one folder, {@code sub/**} at any depth. The
 * pattern {@code *} alone means every file at any depth that is new or changed.
 */
final class ResultPatterns {
  private static final String EVERYTHING_NEW = "*";

  private final Set<String> names = new HashSet<>();
  private final List<PathMatcher> wildcards = new ArrayList<>();
  private boolean everythingNew;

  ResultPatterns(List<String> patterns) {
    for (String pattern : patterns) {
      RelativePath.check("result pattern", pattern);
      if (pattern.equals(EVERYTHING_NEW)) {
        everythingNew = true;
      } else if (hasWildcard(pattern)) {
        wildcards.add(glob(pattern));
      } else {
        names.add(pattern);
      }
    }
  }

  private static PathMatcher glob(String pattern) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (IllegalArgumentException e) {
      throw new ImkerException(
          "The result pattern '" + pattern + "' cannot be read: " + e.getMessage(), e);
    }
  }

  /** Named without wildcards: the task has failed if one of them is not there. */
  Set<String> names() {
    return names;
  }

  /**
   * @param changed whether the file is not just an input as it was laid in
   */
  boolean match(Path relative, boolean changed) {
    if (everythingNew && changed) {
      return true;
    }
    for (Path part = relative; part != null; part = part.getParent()) {
      if (names.contains(slashes(part))) {
        return true;
      }
    }
    return wildcards.stream().anyMatch(wildcard -> wildcard.matches(relative));
  }

  static String slashes(Path relative) {
    return relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
  }

  static boolean hasWildcard(String pattern) {
    return pattern.chars().anyMatch(c -> "*?[{\\".indexOf(c) >= 0);
  }
}
