package dev.imker.jobfile.files;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Patterns of file names. */
public final class Globs {
  private static final String SPECIAL = "*?[{";

  private Globs() {}

  public static boolean isPattern(String text) {
    return text.chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0);
  }

  /** The leading folder of a pattern without special characters; may be empty. */
  static String folderOf(String pattern) {
    List<String> fixed = new ArrayList<>();
    String[] parts = pattern.split("/", -1);
    for (int i = 0; i < parts.length - 1 && !isPattern(parts[i]); i++) {
      fixed.add(parts[i]);
    }
    return String.join("/", fixed) + (fixed.size() == 1 && fixed.getFirst().isEmpty() ? "/" : "");
  }

  /**
   * Matches names relative to the fixed folder.
   *
   * @throws PatternSyntaxException if the pattern is invalid
   */
  public static Predicate<String> matcher(String pattern) {
    var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    // a/**/b also matches a/b, as in shells
    var shorter =
        pattern.contains("**/")
            ? FileSystems.getDefault().getPathMatcher("glob:" + pattern.replace("**/", ""))
            : matcher;
    return name -> {
      try {
        return matcher.matches(Path.of(name)) || shorter.matches(Path.of(name));
      } catch (InvalidPathException e) {
        return false; // no file has such a name
      }
    };
  }

  /** What is wrong with a pattern; null if nothing is. */
  public static @Nullable String problem(String pattern) {
    try {
      var _ = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      return null;
    } catch (PatternSyntaxException e) {
      return e.getDescription();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
