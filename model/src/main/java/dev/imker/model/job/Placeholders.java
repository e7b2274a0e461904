package dev.imker.model.job;

import dev.imker.model.InputException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Text with <code>${name}</code> in it. <code>$${</code> stands for a literal <code>${</code>;
 * other dollar signs are literal. Values are inserted verbatim and not expanded again: a value that
 * contains <code>${</code> stays what it is, and in a shell line the shell sees the value unquoted.
 */
public final class Placeholders {
  private Placeholders() {}

  /**
   * The text with every name replaced by its value.
   *
   * @throws InputException if {@code values} has no value (null) for a name
   */
  public static String expand(String text, Function<String, @Nullable String> values) {
    int start = text.indexOf("${");
    if (start < 0) {
      return text;
    }
    StringBuilder result = new StringBuilder(text.length() + 16);
    int done = 0;
    while (start >= 0) {
      if (start > done && text.charAt(start - 1) == '$') {
        result.append(text, done, start).append('{');
        done = start + 2;
      } else {
        int end = endOf(text, start);
        String name = text.substring(start + 2, end);
        String value = values.apply(name);
        if (value == null) {
          throw new InputException("There is no parameter '" + name + "' for '" + text + "'.");
        }
        result.append(text, done, start).append(value);
        done = end + 1;
      }
      start = text.indexOf("${", done);
    }
    return result.append(text, done, text.length()).toString();
  }

  private static int endOf(String text, int start) {
    int end = text.indexOf('}', start);
    if (end < 0) {
      throw new InputException(
          "'"
              + text.substring(start)
              + "' opens ${ without a closing brace; write $${ for a literal one.");
    }
    return end;
  }
}
