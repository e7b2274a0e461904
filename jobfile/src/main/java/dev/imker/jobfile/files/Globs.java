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

  /** The folder at the beginning of a pattern that has nothing special in it; may be empty. */
  static String folderOf(String pattern) {
    List<String> fixed = new ArrayList<>();
    String[] parts = pattern.split("/", -1);
    for (int i = 0; i < parts.length - 1 && !isPattern(parts[i]); i++) {
      fixed.add(parts[i]);
    }
    return String.join("/", fixed) + (fixed.size() == 1 && fixed.getFirst().isEmpty() ? "/" : "");
  }

  /**
   * Which names, relative to the fixed folder, fit.
   *
   * @throws PatternSyntaxException if the pattern is none
   */
  public static Predicate<String> matcher(String pattern) {
    var matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    // a/**/b is meant to fit a/b as well, as in shells
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
