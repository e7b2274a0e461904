package dev.imker.jobfile;

import java.util.HashMap;
import java.util.Map;

/**
 * Where in a file a job stands, so that what the pool has to say to it can be told with line and
 * column.
 */
public final class JobOrigin {
  private final String file;
  private final Place start;
  private final Map<String, Place> fields = new HashMap<>();

  JobOrigin(String file, Place start) {
    this.file = file;
    this.start = start;
  }

  void add(Filled form) {
    form.forEach(spot -> fields.putIfAbsent(usual(spot.field()), spot.place()));
  }

  /**
   * What is wrong, as compilers print it.
   *
   * @param field as REST names it; the nearest one of the file is told, else the job's first line
   */
  public String tell(String field, String message) {
    Place place = place(field.replace("dataInputs", "inputs"));
    return file + ":" + place.line() + ":" + place.column() + ": " + message;
  }

  /** Stages may be called tasks. */
  private static String usual(String field) {
    return field.startsWith("tasks[") ? "stages" + field.substring("tasks".length()) : field;
  }

  private Place place(String field) {
    for (String path = field; !path.isEmpty(); path = parent(path)) {
      Place known = fields.get(path);
      if (known != null) {
        return known;
      }
    }
    return start;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
  }
}
