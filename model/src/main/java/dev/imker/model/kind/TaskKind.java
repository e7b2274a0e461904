package dev.imker.model.kind;

import java.util.List;
import java.util.Map;

/**
 * A kind of jobs: a few fields that people fill in, and the stages created from them. A server
 * finds kinds with {@link java.util.ServiceLoader}, among its own classes and in the jars of the
 * folder {@code kinds} in its data folder. Implementations need a public constructor without
 * parameters, must be stateless, and are called by several threads.
 */
public interface TaskKind {
  /** Lower-case letters, digits and {@code -}, beginning with a letter; unique in the server. */
  String name();

  /** One line for lists of kinds. */
  String description();

  List<Field> fields();

  /**
   * Checks combinations of values that are valid by themselves; returns one sentence for each
   * problem.
   *
   * @param values of all fields by name, including defaults
   */
  default List<String> problems(Map<String, String> values) {
    return List.of();
  }

  /**
   * The job as in a job file: {@code command}, {@code inputs}, {@code stages} and so on, made of
   * maps, lists, strings, numbers and booleans.
   *
   * @param values as in {@link #problems}, without any problems
   */
  Map<String, Object> job(Map<String, String> values);

  /** The results to show, the most important first. */
  default List<View> views() {
    return List.of();
  }

  /** The type of a field. */
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
   * A field that people fill in.
   *
   * @param fallback its default; not used for a required field
   */
  record Field(String name, Type type, boolean required, String fallback, String description) {
    public static Field required(String name, Type type, String description) {
      return new Field(name, type, true, "", description);
    }

    public static Field optional(String name, Type type, String fallback, String description) {
      return new Field(name, type, false, fallback, description);
    }
  }

  /** How to display a result. */
  enum Form {
    TEXT,
    TABLE,
    PICTURE,
    PAGE
  }

  /**
   * Results to display.
   *
   * @param stage that produces them; empty for a job with a single unnamed stage
   * @param files a pattern, as in {@code results}
   */
  record View(String title, Form form, String stage, String files) {}
}
