package dev.imker.model.job;

import dev.imker.model.InputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Results that were published under a name: {@code rain} for the newest version, {@code rain@3} for
 * a certain one.
 *
 * @param version counted from 1; {@link #NEWEST} for the newest
 */
public record DataReference(String name, int version) {
  public static final int NEWEST = 0;

  private static final Pattern TEXT =
      Pattern.compile("([\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,99})(?:@([1-9][0-9]{0,8}))?");

  /**
   * @throws InputException if that is neither a name nor one with a version
   */
  public static DataReference parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new InputException(
          "'%s' is not a valid data name: use letters, digits and . _ -, and a version if you need a specific one, as in rain@3."
              .formatted(text));
    }
    String version = parts.group(2);
    return new DataReference(parts.group(1), version == null ? NEWEST : Integer.parseInt(version));
  }

  @Override
  public String toString() {
    return version == NEWEST ? name : name + "@" + version;
  }
}
