package dev.imker.jobfile.tsv;

import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One line of the ten-field format, each field as text.
 *
 * @param line its position
 */
record TsvLine(int line, List<String> fields) {
  static final List<String> NAMES =
      List.of(
          "jobType",
          "platform",
          "command",
          "resultFiles",
          "maintainoutput",
          "files",
          "mailnotification",
          "periodicUpload",
          "userIdentifier",
          "preUserIdentifiers");

  /** Of these it only matters whether they are set. */
  private static final Set<String> FLAGS =
      Set.of("maintainoutput", "periodicUpload", "userIdentifier");

  String get(String name) {
    return fields.get(NAMES.indexOf(name)).strip();
  }

  /** The position of a field; columns are counted in characters. */
  Spot spot(String name) {
    int column = 1;
    for (int i = 0; i < NAMES.indexOf(name); i++) {
      column += fields.get(i).length() + 1;
    }
    return new Spot(new Place(line, column), name);
  }

  /** Whether a field is not set: empty or NO. */
  boolean isUnused(String name) {
    String text = get(name);
    return text.isEmpty() || text.equalsIgnoreCase("NO");
  }

  /** YES or NO; everything except NO and an empty field counts as yes. */
  boolean isYes(String name) {
    return !isUnused(name);
  }

  List<String> list(String name) {
    List<String> all = new ArrayList<>();
    if (!isUnused(name)) {
      for (String element : get(name).split(";", -1)) {
        if (!element.isBlank()) {
          all.add(element.strip());
        }
      }
    }
    return all;
  }

  /** What two lines must have in common to be tasks of one stage. */
  String likeness() {
    return NAMES.stream()
        .filter(name -> !name.equals("command"))
        .map(name -> isUnused(name) ? "" : FLAGS.contains(name) ? "yes" : get(name))
        .collect(Collectors.joining("\t"));
  }
}
