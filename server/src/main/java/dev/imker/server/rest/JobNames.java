package dev.imker.server.rest;

import dev.imker.model.JobKind;
import dev.imker.server.http.ApiException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names of jobs and projects. They can be typed as selectors, so that they are no numbers. */
final class JobNames {
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}_](?:[\\p{L}\\p{N}_-]|\\.(?=[\\p{L}\\p{N}_-])){0,99}");
  static final String LAST = "last";

  private JobNames() {}

  static String check(String field, String name) {
    if (!NAME.matcher(name).matches() || name.equals(LAST)) {
      throw ApiException.invalid(
          field,
          "%s=%s: a %s has letters, digits, -, _ and single dots, begins with a letter, is no longer than"
                  .formatted(field, name, field)
              + " 100, and is not \"last\".");
    }
    return name;
  }

  /** A name for a job without one: its program. */
  static String derive(List<String> command, JobKind kind) {
    if (command.isEmpty()) {
      return kind.name().toLowerCase(Locale.ROOT);
    }
    String program = command.getFirst().strip().replaceAll("\\s.*", "").replaceAll(".*[/\\\\]", "");
    String name = program.replaceAll("[^\\p{L}\\p{N}_-]+", "-").replaceAll("^[^\\p{L}_]+|-+$", "");
    String cut = name.substring(0, Math.min(name.length(), 60));
    return NAME.matcher(cut).matches() && !cut.equals(LAST) ? cut : "job";
  }
}
