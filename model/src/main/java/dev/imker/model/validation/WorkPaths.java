package dev.imker.model.validation;

import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Paths inside the work folder of a task: relative, with slashes, never leading out of it. */
public final class WorkPaths {
  private static final int MAX_CHARS = 1000;

  /** The limit of common file systems. */
  private static final int MAX_NAME_BYTES = 255;

  private WorkPaths() {}

  /** What is wrong with the path of a file or folder; null if nothing is. */
  public static @Nullable String problem(String path) {
    String problem = formProblem(path);
    if (problem != null) {
      return problem;
    }
    for (String name : path.split("/", -1)) {
      if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
        return "a name in a path has at most " + MAX_NAME_BYTES + " bytes (as UTF-8)";
      }
    }
    return null;
  }

  /** What is wrong with a pattern of such paths; null if nothing is. */
  public static @Nullable String patternProblem(String glob) {
    String problem = formProblem(glob);
    if (problem != null) {
      return problem;
    }
    try {
      var _ = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      return null;
    } catch (PatternSyntaxException e) {
      return "it is not a valid pattern: " + e.getDescription();
    }
  }

  private static @Nullable String formProblem(String path) {
    if (path.isEmpty() || path.length() > MAX_CHARS) {
      return "it must have 1 to " + MAX_CHARS + " characters";
    }
    if (path.startsWith("/") || path.contains("\\") || path.matches("[A-Za-z]:.*")) {
      return "it must be relative to the work folder, with slashes";
    }
    if (path.codePoints().anyMatch(WorkPaths::isUnusable)) {
      return "control characters and broken characters are not allowed";
    }
    for (String name : path.split("/", -1)) {
      if (name.isEmpty() || name.equals(".") || name.equals("..")) {
        return "empty parts, . and .. are not allowed";
      }
    }
    return null;
  }

  private static boolean isUnusable(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.CONTROL || type == Character.SURROGATE;
  }
}
