package dev.imker.model.validation;

import dev.imker.model.job.JobKind;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names of jobs, stages and projects. They are used in selectors, so they must not be numbers. */
public final class JobNames {
  public static final String PATTERN =
      "[\\p{L}_](?:[\\p{L}\\p{N}_-]|\\.(?=[\\p{L}\\p{N}_-])){0,99}";

  /** Describes valid names; continues "a name has". */
  public static final String RULE =
      "letters, digits, -, _ and single dots, starts with a letter, has at most 100"
          + " characters, and is not \"last\".";

  private static final Pattern NAME = Pattern.compile(PATTERN);
  private static final String LAST = "last";
  private static final int MAX_DERIVED_CHARS = 60;

  private JobNames() {}

  public static boolean isValid(String name) {
    return NAME.matcher(name).matches() && !name.equals(LAST);
  }

  /** The most similar valid name; empty if no character can be kept. */
  public static String from(String text) {
    String name = text.replaceAll("[^\\p{L}\\p{N}_-]+", "-").replaceAll("^[^\\p{L}_]+|-+$", "");
    String cut = name.substring(0, Math.min(name.length(), MAX_DERIVED_CHARS));
    return isValid(cut) ? cut : "";
  }

  /** A default name for a job: its program. */
  public static String derive(List<String> command, JobKind kind) {
    if (command.isEmpty()) {
      return kind.name().toLowerCase(Locale.ROOT);
    }
    String program = command.getFirst().strip().replaceAll("\\s.*", "").replaceAll(".*[/\\\\]", "");
    String name = from(program);
    return name.isEmpty() ? "job" : name;
  }
}
