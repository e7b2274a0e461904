package dev.imker.model.job;

import dev.imker.model.InputException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * How the value of an environment variable refers to a secret of the job's user: <code>
 * ${secret:NAME}</code>. Jobs carry the name; the value goes only to the agent that runs the task.
 */
public final class SecretReference {
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private static final String PREFIX = "secret:";

  private SecretReference() {}

  /** The value of a variable that refers to this secret. */
  public static String to(String name) {
    return "${" + PREFIX + name + "}";
  }

  public static boolean is(String placeholder) {
    return placeholder.startsWith(PREFIX)
        && NAME.matcher(placeholder.substring(PREFIX.length())).matches();
  }

  /** The secret to which a placeholder refers. */
  static String nameOf(String placeholder) {
    return placeholder.substring(PREFIX.length());
  }

  /** The secrets that tasks of a stage need. */
  public static Set<String> in(Stage stage) {
    Set<String> names = new TreeSet<>();
    for (String value : stage.env().values()) {
      if (value.contains("${" + PREFIX)) {
        collect(value, names);
      }
    }
    return names;
  }

  private static void collect(String value, Set<String> names) {
    try {
      Placeholders.expand(
          value,
          placeholder -> {
            if (is(placeholder)) {
              names.add(nameOf(placeholder));
            }
            return "";
          });
    } catch (InputException e) {
      // Reported by the validation; such a value refers to nothing.
      return;
    }
  }
}
