package dev.imker.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Values of the REST interface in words for a person. */
public final class Texts {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private Texts() {}

  public static String time(JsonNode instant) {
    return instant.isTextual()
        ? TIME.format(Instant.parse(instant.asText()).atZone(ZoneId.systemDefault()))
        : "-";
  }

  public static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    if (duration.toMillis() < 10_000) {
      return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
    }
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + "m" + seconds % 60 + "s";
    }
    if (seconds < 48 * 3600) {
      return seconds / 3600 + "h" + seconds / 60 % 60 + "m";
    }
    return seconds / 86_400 + "d" + seconds / 3600 % 24 + "h";
  }

  /** A length of time that the server tells in minutes. */
  public static String minutes(JsonNode minutes) {
    return duration(Duration.ofMillis(Math.round(minutes.asDouble() * 60_000)));
  }

  public static String between(JsonNode from, JsonNode to) {
    return length(from, to).map(Texts::duration).orElse("-");
  }

  public static Optional<Duration> length(JsonNode from, JsonNode to) {
    return from.isTextual() && to.isTextual()
        ? Optional.of(Duration.between(Instant.parse(from.asText()), Instant.parse(to.asText())))
        : Optional.empty();
  }

  public static String bytes(long size) {
    if (size < 1024) {
      return size + " B";
    }
    String[] units = {"KB", "MB", "GB", "TB"};
    double value = size;
    int unit = -1;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  /**
   * "36 done, 4 running, 60 ready": the counts that are not zero. Skipped tasks are among the
   * failed ones, and are told apart from them.
   */
  public static String counts(JsonNode counts) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : counts.properties()) {
      String state = entry.getKey();
      long tasks = entry.getValue().asLong();
      if (state.equals("failed")) {
        tasks -= counts.path("skipped").asLong();
      }
      if (tasks > 0) {
        parts.add(tasks + " " + (state.equals("autoBlocked") ? "failed too often" : state));
      }
    }
    return String.join(", ", parts);
  }

  /** A command as one would type it. */
  public static String command(JsonNode words) {
    List<String> texts = new ArrayList<>();
    for (JsonNode word : words) {
      texts.add(word.asText());
    }
    return String.join(" ", texts).replace('\n', ' ').replace("$${", "${");
  }

  public static String shorten(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 1) + "…";
  }

  /** Whether a parameter only repeats another one: a part of it, or quoted for the shell. */
  public static boolean isHelper(String parameter) {
    return parameter.endsWith("_quoted") || parameter.matches("arg\\d*_(noext|name|dir|stem)");
  }

  /** The values of parameters alone. */
  public static String values(JsonNode params) {
    return String.join(
        " ",
        params.properties().stream()
            .filter(entry -> !isHelper(entry.getKey()))
            .map(entry -> entry.getValue().asText())
            .toList());
  }

  public static String params(JsonNode params) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : params.properties()) {
      if (!isHelper(entry.getKey())) {
        parts.add(entry.getKey() + "=" + entry.getValue().asText());
      }
    }
    return String.join(" ", parts);
  }
}
