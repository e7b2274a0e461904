package dev.imker.model.text;

import dev.imker.model.InputException;
import java.util.Optional;

/**
 * Paths of files inside a folder, as used by jobs, agents and archives: relative, with slashes, and
 * never leading out of the folder on any system. Every name chosen by somebody else is checked here
 * before a file is put into a folder or an archive.
 */
public final class SafePath {
  public static final int MAX_CHARS = 1000;
  public static final int MAX_DEPTH = 64;
  private static final int MAX_NAME_BYTES = 255;

  private SafePath() {}

  /** What is wrong with a path; empty if nothing is. */
  public static Optional<String> problem(String path) {
    if (path.isEmpty() || path.length() > MAX_CHARS) {
      return Optional.of(
          "has " + path.length() + " characters; 1 to " + MAX_CHARS + " are possible");
    }
    if (path.startsWith("/") || path.indexOf('\\') >= 0 || path.matches("[A-Za-z]:.*")) {
      return Optional.of("is not relative, with slashes between its parts");
    }
    if (path.chars().anyMatch(c -> c < ' ' || c == 0x7f || (c >= 0x80 && c < 0xa0))) {
      return Optional.of("has control characters");
    }
    String[] parts = path.split("/", -1);
    if (parts.length > MAX_DEPTH) {
      return Optional.of("has more than " + MAX_DEPTH + " folders");
    }
    for (String part : parts) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return Optional.of("has an empty part, . or ..");
      }
      if (part.length() > MAX_NAME_BYTES) {
        return Optional.of("has a name of more than " + MAX_NAME_BYTES + " characters");
      }
    }
    return Optional.empty();
  }

  public static boolean isSafe(String path) {
    return problem(path).isEmpty();
  }

  /**
   * The path, unchanged.
   *
   * @throws InputException that says what is wrong with it
   */
  public static String check(String path) {
    problem(path)
        .ifPresent(
            why -> {
              throw new InputException("The path '" + SafeText.line(path, 200) + "' " + why + ".");
            });
    return path;
  }
}
