package dev.imker.cli.options;

import dev.imker.client.context.FileTrouble;
import dev.imker.model.ImkerException;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.sweep.Sweep;
import dev.imker.model.sweep.SweepParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Values that make one task each, with the habits of GNU parallel: words after {@code :::}, lines
 * of files, names of files. In the command <code>{}</code> stands for the value, <code>{.}</code>
 * for it without its extension, <code>{/}</code> for its last name, <code>{//}</code> for its
 * folder, <code>{/.}</code> for its last name without the extension, <code>{#}</code> for the
 * number of the task; <code>{2}</code> for the value of the second source. Sources are combined,
 * each value with each; one after {@code :::+} goes along with the one before it instead. In a line
 * for the shell values are quoted, so that each is one word whatever is in it.
 */
public final class ValueSources {
  /** Name of the parameter that has the values; arg1, arg2, … where there are several sources. */
  public static final String PARAMETER = "arg";

  private static final String WORDS = ":::";
  private static final String FILES = "::::";
  private static final String LINKED = "+";
  private static final Pattern PLACE =
      Pattern.compile("(?<![\\\\$])\\{(?:(#)|(\\d{1,2})?(\\.|//|/\\.|/)?)}");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private final List<List<String>> sources = new ArrayList<>();

  /** For each source the number of the one that it goes along with; its own if it varies alone. */
  private final List<Integer> leaders = new ArrayList<>();

  private final List<String> files = new ArrayList<>();
  private final Map<String, SweepAxis> axes = new LinkedHashMap<>();

  /** Takes the sources off the end of the words of a command, and returns what is left. */
  public List<String> split(List<String> words) {
    int first = 0;
    while (first < words.size() && !isMark(words.get(first))) {
      first++;
    }
    int at = first;
    while (at < words.size()) {
      int end = at + 1;
      while (end < words.size() && !isMark(words.get(end))) {
        end++;
      }
      List<String> values = words.subList(at + 1, end);
      int before = sources.size();
      if (words.get(at).startsWith(FILES)) {
        values.forEach(this::addLines);
      } else {
        add(WORDS, List.copyOf(values));
      }
      if (words.get(at).endsWith(LINKED)) {
        link(words.get(at), before);
      }
      at = end;
    }
    return words.subList(0, first);
  }

  private static boolean isMark(String word) {
    String mark = word.endsWith(LINKED) ? word.substring(0, word.length() - 1) : word;
    return mark.equals(WORDS) || mark.equals(FILES);
  }

  /** Has sources go along with the one before them; the shortest says how far. */
  private void link(String mark, int from) {
    if (from == 0) {
      throw new ImkerException(mark + ": there is no earlier source to combine it with.");
    }
    int leader = leaders.get(from - 1);
    for (int i = from; i < sources.size(); i++) {
      leaders.set(i, leader);
    }
    int shortest = Integer.MAX_VALUE;
    for (int i = leader - 1; i < sources.size(); i++) {
      shortest = Math.min(shortest, sources.get(i).size());
    }
    for (int i = leader - 1; i < sources.size(); i++) {
      sources.set(i, sources.get(i).subList(0, shortest));
    }
  }

  /** Makes a source of each column of the lines that there are, which go along with each other. */
  public void splitColumns(String separator) {
    Pattern between;
    try {
      between = Pattern.compile(separator);
    } catch (PatternSyntaxException e) {
      throw new ImkerException(
          "--colsep " + separator + ": not a regular expression: " + e.getDescription() + ".", e);
    }
    List<List<String>> lines = List.copyOf(sources);
    List<Integer> oldLeaders = List.copyOf(leaders);
    Map<Integer, Integer> moved = new HashMap<>();
    sources.clear();
    leaders.clear();
    for (int i = 0; i < lines.size(); i++) {
      moved.put(i + 1, sources.size() + 1);
      int leader = Objects.requireNonNull(moved.get(oldLeaders.get(i)));
      List<String[]> rows = lines.get(i).stream().map(line -> between.split(line, -1)).toList();
      int columns = rows.stream().mapToInt(row -> row.length).max().orElse(1);
      for (int column = 0; column < columns; column++) {
        int at = column;
        sources.add(rows.stream().map(row -> at < row.length ? row[at] : "").toList());
        leaders.add(leader);
      }
    }
  }

  /** One value per line of a file, or of the standard input. */
  public void addLines(String file) {
    try (InputStream in =
        file.equals(JobFileSet.STANDARD_INPUT) || file.equals("-")
            ? System.in
            : Files.newInputStream(Path.of(file))) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      add(file, text.lines().filter(line -> !line.isEmpty()).toList());
    } catch (IOException e) {
      throw new ImkerException("-a " + file + ": " + FileTrouble.inWords(e) + ".", e);
    }
  }

  /** One value per file; the files travel with their tasks. */
  public void addFiles(String pattern, List<String> names) {
    add("--each " + pattern, names);
    files.addAll(names);
  }

  private void add(String what, List<String> values) {
    if (values.isEmpty()) {
      throw new ImkerException(what + ": there are no values, so there is nothing to run.");
    }
    sources.add(values);
    leaders.add(sources.size());
  }

  public boolean isEmpty() {
    return sources.isEmpty();
  }

  /** The command with its parameters; a command without a place for the values gets one. */
  public Sweep sweep(List<String> command, List<String> sweeps, boolean literalBraces) {
    for (int i = 1; i <= sources.size(); i++) {
      axes.put(base(i), axis(base(i), i, value -> value));
    }
    List<String> words = new ArrayList<>();
    if (command.isEmpty()) {
      words.add("${" + base(1) + "}"); // the lines are commands themselves
    } else {
      boolean shell = command.size() == 1;
      withPlace(command).forEach(word -> words.add(filled(word, shell)));
    }
    return SweepParser.parse(words, sweeps, List.copyOf(axes.values()), literalBraces);
  }

  private List<String> withPlace(List<String> command) {
    if (command.stream().anyMatch(word -> PLACE.matcher(word).find())) {
      return command;
    }
    if (command.size() == 1) {
      return List.of(command.getFirst() + " {}");
    }
    List<String> all = new ArrayList<>(command);
    all.add("{}");
    return all;
  }

  private String filled(String word, boolean shell) {
    return PLACE
        .matcher(word)
        .replaceAll(
            place -> {
              if (place.group(1) != null) {
                return Matcher.quoteReplacement("${task}");
              }
              String form = place.group(3) == null ? "" : place.group(3);
              int only = place.group(2) == null ? 0 : Integer.parseInt(place.group(2));
              List<String> parts = new ArrayList<>();
              for (int i = 1; i <= sources.size(); i++) {
                if (only == 0 || only == i) {
                  parts.add("${" + parameter(i, form, shell) + "}");
                }
              }
              if (parts.isEmpty()) {
                throw new ImkerException(
                    place.group()
                        + (sources.size() == 1
                            ? ": there is only one source of values."
                            : ": there are only " + sources.size() + " sources of values."));
              }
              return Matcher.quoteReplacement(String.join(" ", parts));
            });
  }

  private String parameter(int source, String form, boolean shell) {
    String name = base(source) + suffix(form);
    UnaryOperator<String> change = value -> changed(value, form);
    boolean quoted =
        shell
            && sources.get(source - 1).stream()
                .anyMatch(value -> !PLAIN.matcher(change.apply(value)).matches());
    String used = quoted ? name + "_quoted" : name;
    axes.computeIfAbsent(
        used,
        n -> axis(n, source, value -> quoted ? quote(change.apply(value)) : change.apply(value)));
    return used;
  }

  private SweepAxis axis(String name, int source, UnaryOperator<String> change) {
    return SweepAxis.of(name, sources.get(source - 1).stream().map(change).toList())
        .zippedAs(base(leaders.get(source - 1)));
  }

  private String base(int source) {
    return sources.size() == 1 ? PARAMETER : PARAMETER + source;
  }

  private static String suffix(String form) {
    return switch (form) {
      case "." -> "_noext";
      case "/" -> "_name";
      case "//" -> "_dir";
      case "/." -> "_stem";
      default -> "";
    };
  }

  private static String changed(String value, String form) {
    int slash = value.lastIndexOf('/');
    int dot = value.lastIndexOf('.');
    String noext = dot > slash + 1 ? value.substring(0, dot) : value;
    return switch (form) {
      case "." -> noext;
      case "/" -> value.substring(slash + 1);
      case "//" -> slash < 0 ? "." : slash == 0 ? "/" : value.substring(0, slash);
      case "/." -> noext.substring(slash + 1);
      default -> value;
    };
  }

  /** As one word for a POSIX shell. */
  public static String quote(String value) {
    return PLAIN.matcher(value).matches() ? value : "'" + value.replace("'", "'\\''") + "'";
  }
}
