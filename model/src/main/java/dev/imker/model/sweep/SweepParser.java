package dev.imker.model.sweep;

import dev.imker.model.InputException;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.text.NearNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the sweep in the arguments of a command.
 *
 * <ul>
 *   <li><code>{1..100}</code>, <code>{1..100..5}</code>, <code>{001..100}</code> (padded), <code>
 *       {a..e}</code> and <code>{a,b,c}</code> vary; several of them make the cross product, the
 *       first varies slowest. They become the parameters p1, p2, …
 *   <li><code>{name}</code> stands for the parameter of a {@code --sweep name=1..100} or {@code
 *       --sweep name=a,b,c}.
 *   <li>As in a shell, other braces are literal: those around blanks, those of <code>${VARIABLE}
 *       </code>, without <code>..</code> or a comma. A backslash before a brace (or a comma inside
 *       braces) makes it literal too.
 *   <li>A word in braces that is nearly the name of a sweep, or stands where a sweep is used
 *       nowhere, is refused: it is a typing error.
 *   <li>Braces inside a list are refused.
 * </ul>
 */
public final class SweepParser {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
  private static final Set<String> RESERVED = Set.of("task", "job");

  private final List<SweepAxis> axes = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> named = new LinkedHashSet<>();
  private final Set<String> used = new HashSet<>();
  private final Set<String> unknown = new LinkedHashSet<>();
  private final boolean literalBraces;
  private int braceAxes;

  private SweepParser(boolean literalBraces) {
    this.literalBraces = literalBraces;
  }

  /**
   * @param words the command as typed
   * @param sweeps values of {@code --sweep}, each {@code name=values}
   */
  public static Sweep parse(List<String> words, List<String> sweeps) {
    return parse(words, sweeps, false);
  }

  /**
   * @param literalBraces whether braces are literal, except around the name of a sweep
   */
  public static Sweep parse(List<String> words, List<String> sweeps, boolean literalBraces) {
    return parse(words, sweeps, List.of(), literalBraces);
  }

  /**
   * @param given parameters with known values; they vary slowest
   */
  public static Sweep parse(
      List<String> words, List<String> sweeps, List<SweepAxis> given, boolean literalBraces) {
    SweepParser parser = new SweepParser(literalBraces);
    for (SweepAxis axis : given) {
      parser.names.add(axis.name());
      parser.axes.add(axis);
    }
    sweeps.forEach(parser::addNamed);
    List<String> command = new ArrayList<>();
    for (String word : words) {
      command.add(parser.scan(word));
    }
    parser.refuseMistyped();
    Sweep sweep = new Sweep(command, parser.axes);
    refuseTooMany(sweep);
    return sweep;
  }

  private void addNamed(String text) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new InputException(
          "--sweep '" + text + "' needs a name: write name=1..100 or name=a,b,c.");
    }
    String name = text.substring(0, equals);
    if (!NAME.matcher(name).matches() || RESERVED.contains(name)) {
      throw new InputException(
          "'"
              + name
              + "' cannot name a sweep parameter: use letters, digits and _, not 'task' or 'job'.");
    }
    named.add(name);
    if (!names.add(name)) {
      throw new InputException("There are two sweep parameters called '" + name + "'.");
    }
    axes.add(SweepValues.parse(name, text.substring(equals + 1), "--sweep " + text));
  }

  private String scan(String word) {
    StringBuilder result = new StringBuilder(word.length());
    int at = 0;
    while (at < word.length()) {
      char c = word.charAt(at);
      if (c == '\\' && at + 1 < word.length() && isBrace(word.charAt(at + 1))) {
        appendLiteralBrace(result, word.charAt(at + 1));
        at += 2;
      } else if (word.startsWith("$${", at)) {
        result.append("$${");
        at += 3;
      } else if (c == '$' && word.startsWith("{", at + 1)) {
        result.append(isParameter(word, at + 1) ? "${" : "$${");
        at += 2;
      } else if (c == '{') {
        at = brace(word, at, result);
      } else {
        result.append(c);
        at++;
      }
    }
    return result.toString();
  }

  /** Handles the brace at {@code open} and returns where to continue. */
  private int brace(String word, int open, StringBuilder result) {
    int close = closing(word, open);
    String content = close < 0 ? "" : word.substring(open + 1, close);
    if (names.contains(content)) {
      used.add(content);
      result.append("${").append(content).append('}');
      return close + 1;
    }
    if (literalBraces || !varies(content)) {
      if (!literalBraces && NAME.matcher(content).matches()) {
        unknown.add(content);
      }
      result.append('{');
      return open + 1;
    }
    String whole = word.substring(open, close + 1);
    if (indexOfPlain(content, '{') >= 0) {
      throw new InputException(
          "Braces inside braces are not supported: '"
              + whole
              + "'. Write the list without inner braces, or \\{ for a literal one.");
    }
    String name = nextName();
    axes.add(SweepValues.parse(name, content, whole));
    result.append("${").append(name).append('}');
    return close + 1;
  }

  /**
   * Whether the brace after a dollar sign belongs to a placeholder; otherwise it is a variable of
   * the shell.
   */
  private boolean isParameter(String word, int open) {
    int close = word.indexOf('}', open);
    String name = close < 0 ? "" : word.substring(open + 1, close);
    if (names.contains(name)) {
      used.add(name);
    }
    return names.contains(name) || RESERVED.contains(name);
  }

  /** Braces around a word are literal, unless the word looks like the name of a sweep. */
  private void refuseMistyped() {
    List<String> unused = named.stream().filter(name -> !used.contains(name)).toList();
    for (String word : unknown) {
      // Any two single letters are similar, and single letters in braces occur in formulas and
      // patterns.
      boolean telling = word.length() > 2 || !unused.isEmpty();
      Optional<String> near = telling ? NearNames.nearest(word, named) : Optional.empty();
      String meant = near.orElse(unused.size() == 1 ? unused.getFirst() : "");
      if (!meant.isEmpty()) {
        throw new InputException(
            "{%s} is not a parameter of the sweep. Did you mean {%s}? For the literal text write \\{%s}, or use --no-braces."
                .formatted(word, meant, word));
      }
    }
  }

  private String nextName() {
    String name;
    do {
      name = "p" + ++braceAxes;
    } while (!names.add(name));
    return name;
  }

  /** Whether the content of braces is a list or range because of its own commas or dots. */
  private static boolean varies(String content) {
    int depth = 0;
    boolean separated = false;
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      if (Character.isWhitespace(c)) {
        return false;
      }
      if (c == '\\') {
        i++;
      } else if (c == '{') {
        depth++;
      } else if (c == '}') {
        depth--;
      } else if (depth == 0) {
        separated |= c == ',' || content.startsWith("..", i);
      }
    }
    return separated;
  }

  private static int closing(String word, int open) {
    int depth = 0;
    for (int i = open; i < word.length(); i++) {
      char c = word.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static int indexOfPlain(String text, char wanted) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** An escaped brace must not become a placeholder either. */
  private static void appendLiteralBrace(StringBuilder result, char brace) {
    if (brace == '{' && !result.isEmpty() && result.charAt(result.length() - 1) == '$') {
      result.append('$');
    }
    result.append(brace);
  }

  private static boolean isBrace(char c) {
    return c == '{' || c == '}';
  }

  private static void refuseTooMany(Sweep sweep) {
    long size = 1;
    Set<String> zipped = new HashSet<>();
    for (SweepAxis axis : sweep.axes()) {
      if (axis.zip().isEmpty() || zipped.add(axis.zip())) {
        size *= axis.size();
      }
      if (size > JobSpec.MAX_TASKS) {
        throw new InputException(
            "The sweep creates more than "
                + JobSpec.MAX_TASKS
                + " tasks, which is the maximum for one job: submit it in parts.");
      }
    }
  }
}
