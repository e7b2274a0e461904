package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.options.ValueSources;
import dev.imker.model.ImkerException;
import dev.imker.model.text.NearNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the results of tasks go: into sub-folders of one folder that are named by the numbers of
 * the tasks, or by their parameters where these were written in braces: {@code out/{seed}-{rate}}.
 *
 * @param base what is the same for all tasks
 * @param template names of the sub-folders; empty for numbers
 */
public record ResultNames(Path base, String template) {
  private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z_#][A-Za-z0-9_-]*|)}");
  private static final int MIN_DIGITS = 4;
  private static final int MAX_VALUE_CHARS = 80;

  public static ResultNames parse(String text) {
    Matcher first = PLACE.matcher(text);
    if (!first.find()) {
      return new ResultNames(Path.of(text), "");
    }
    int slash = text.lastIndexOf('/', first.start());
    String folder = slash < 0 ? "." : slash == 0 ? "/" : text.substring(0, slash);
    return new ResultNames(Path.of(folder), text.substring(slash + 1));
  }

  /** The same for one job of several. */
  ResultNames of(long job) {
    return new ResultNames(base.resolve(Long.toString(job)), template);
  }

  /** Refuses names that no task has a value for. */
  public void requireKnown(List<String> parameters) {
    Matcher place = PLACE.matcher(template);
    while (place.find()) {
      String name = parameter(place.group(1));
      if (!name.equals("#") && !parameters.contains(name)) {
        throw new ImkerException(
            "--results: there is no parameter '%s'.%s"
                .formatted(
                    name,
                    NearNames.nearest(name, parameters)
                        .map(near -> " Did you mean {" + near + "}?")
                        .orElse(
                            parameters.isEmpty()
                                ? " The job has none."
                                : " There are: " + String.join(", ", parameters) + ".")));
      }
    }
  }

  /** The sub-folder of a task: 0001, 0002, …, or as the template says. */
  String folder(JsonNode task, int tasks) {
    String number = number(task.path("number").asInt(), tasks);
    if (template.isEmpty()) {
      return number;
    }
    List<String> parts = new ArrayList<>();
    for (String part : template.split("/", -1)) {
      String filled =
          PLACE
              .matcher(part)
              .replaceAll(
                  place ->
                      Matcher.quoteReplacement(
                          place.group(1).equals("#")
                              ? number
                              : safe(
                                  task.path("params").path(parameter(place.group(1))).asText())));
      parts.add(filled.isEmpty() || filled.equals(".") || filled.equals("..") ? "_" : filled);
    }
    return String.join("/", parts);
  }

  static String number(int number, int tasks) {
    String digits = Integer.toString(number);
    int width = Math.max(MIN_DIGITS, Integer.toString(tasks).length());
    return "0".repeat(width - digits.length()) + digits;
  }

  private static String parameter(String written) {
    return written.isEmpty() ? ValueSources.PARAMETER : written;
  }

  /** A value as the name of a folder on any system. */
  private static String safe(String value) {
    String plain = value.replaceAll("[/\\\\:*?\"<>|\\p{Cntrl}]", "_");
    return plain.length() <= MAX_VALUE_CHARS ? plain : plain.substring(0, MAX_VALUE_CHARS);
  }
}
