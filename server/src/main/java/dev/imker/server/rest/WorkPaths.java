package dev.imker.server.rest;

import dev.imker.server.http.ApiException;
import java.nio.file.FileSystems;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/** Paths inside the work folder of a task: relative, with slashes, never out of it. */
final class WorkPaths {
  private static final int MOST_CHARS = 1000;

  private WorkPaths() {}

  static String check(String field, String path) {
    if (path.isEmpty() || path.length() > MOST_CHARS) {
      throw ApiException.invalid(field, field + " must have 1 to " + MOST_CHARS + " characters.");
    }
    if (path.startsWith("/") || path.contains("\\") || path.matches("[A-Za-z]:.*")) {
      throw ApiException.invalid(
          field, field + "=" + path + ": give a path relative to the work folder, with slashes.");
    }
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw ApiException.invalid(
            field, field + "=" + path + ": empty parts, . and .. are not allowed in a path.");
      }
    }
    return path;
  }

  static void checkGlobs(String field, List<String> globs, Parameters parameters) {
    for (int i = 0; i < globs.size(); i++) {
      String where = field + "[" + i + "]";
      String glob = parameters.sample(globs.get(i));
      check(where, glob);
      try {
        var _ = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      } catch (PatternSyntaxException e) {
        throw ApiException.invalid(
            where, where + "=" + globs.get(i) + " is no pattern: " + e.getDescription() + ".");
      }
    }
  }
}
