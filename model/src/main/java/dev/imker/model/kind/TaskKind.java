package dev.imker.model.kind;

import java.util.List;
import java.util.Map;

/**
 * A kind of jobs: a few fields that people fill in, and the stages that are made of them. A server
 * finds kinds with {@link java.util.ServiceLoader}, among its own classes and in the jars of the
 * folder {@code kinds} in its data folder. Implementations have a public constructor without
 * parameters, keep nothing between calls, and are called by many threads.
 */
public interface TaskKind {
  /** Lower-case letters, digits and {@code -}, beginning with a letter; unique in the server. */
  String name();

  /** One line for lists of kinds. */
  String description();

  List<Field> fields();

  /**
   * What is wrong with values of which each for itself is right; one sentence for each problem.
   *
   * @param values of all fields by name, with the defaults of those that were not given
   */
  default List<String> problems(Map<String, String> values) {
    return List.of();
  }

  /**
   * The job, as it would stand in a job file: {@code command}, {@code inputs}, {@code stages} and
   * so on, made of maps, lists, texts, numbers and truth values.
   *
   * @param values as in {@link #problems}, of which there were none
   */
  Map<String, Object> job(Map<String, String> values);

  /** Which results people want to see, the most important first. */
  default List<View> views() {
    return List.of();
  }

  /** What a field takes. */
  enum Type {
    TEXT,
    /** A whole number. */
    NUMBER,
    /** {@code true} or {@code false}. */
    FLAG,
    /** A file, folder or pattern on the machine of the caller, as in {@code inputs}. */
    FILE
  }

  /**
   * Something that people fill in.
   *
   * @param fallback its value if it was not given; of a required one it is not used
   */
  record Field(String name, Type type, boolean required, String fallback, String description) {
    public static Field required(String name, Type type, String description) {
      return new Field(name, type, true, "", description);
    }

    public static Field optional(String name, Type type, String fallback, String description) {
      return new Field(name, type, false, fallback, description);
    }
  }

  /** How a result is best looked at. */
  enum Form {
    TEXT,
    TABLE,
    PICTURE,
    PAGE
  }

  /**
   * Results that people want to see.
   *
   * @param stage that makes them; empty for that of a job without names of stages
   * @param files a pattern, as in {@code results}
   */
  record View(String title, Form form, String stage, String files) {}
}
