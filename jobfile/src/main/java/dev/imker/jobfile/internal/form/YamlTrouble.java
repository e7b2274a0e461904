package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import java.util.Locale;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Explains errors of the YAML parser in terms of the user. */
final class YamlTrouble {
  private YamlTrouble() {}

  static String plain(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("unacceptable code point") || message.contains("special characters")) {
      return "The file contains a control character, which YAML does not allow; write it as an"
          + " escape in double quotes. "
          + firstLine(message);
    }
    return firstLine(message);
  }

  static void explain(MarkedYamlEngineException e, String text, Findings findings) {
    Place place = TreeReader.place(e.getProblemMark().or(e::getContextMark).orElse(null));
    String problem = String.valueOf(e.getProblem());
    String line = text.lines().skip(place.line() - 1L).findFirst().orElse("");
    Spot spot = new Spot(place, "");
    int tab = indentingTab(line);
    if (tab >= 0) {
      findings.error(
          new Spot(new Place(place.line(), tab + 1), ""),
          "This line is indented with a tab; YAML allows only spaces.",
          "Replace it with spaces.");
      return;
    }
    findings.error(spot, "This is not YAML: " + inWords(problem, e) + ".", fix(problem, e));
  }

  private static String inWords(String problem, MarkedYamlEngineException e) {
    String context = e.getContext() == null ? "" : e.getContext() + ": ";
    return firstLine((context + problem).replace("<block end>", "the end of the block"));
  }

  private static String fix(String problem, MarkedYamlEngineException e) {
    String all = (e.getContext() + " " + problem).toLowerCase(Locale.ROOT);
    if (all.contains("alias") || all.contains("anchor")) {
      return "A text that starts with * or & must be quoted: '*.csv'.";
    }
    if (all.contains("mapping values are not allowed")) {
      return "Check the indentation; a text that contains ': ' must be quoted.";
    }
    if (all.contains("cannot start any token")) {
      return "A text that starts with @, ` or % must be quoted; tabs cannot be used for"
          + " indentation.";
    }
    if (all.contains("quoted scalar")) {
      return "A quote is not closed.";
    }
    if (all.contains("flow")) {
      return "A bracket or brace is not closed; a text that starts with one must be quoted.";
    }
    if (all.contains("simple key")) {
      return "A ':' followed by a space is missing, or a text must be quoted.";
    }
    return "Check the indentation, and quote texts with special characters.";
  }

  private static int indentingTab(String line) {
    for (int i = 0; i < line.length(); i++) {
      if (line.charAt(i) == '\t') {
        return i;
      }
      if (line.charAt(i) != ' ') {
        return -1;
      }
    }
    return -1;
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
