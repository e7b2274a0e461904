package dev.imker.tasks;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step of a planned job. A subclass has a no-argument constructor, is annotated with {@link
 * Action}, and reads and writes values (usually records) with {@link #get} and {@link #put}. Every
 * attempt uses a new object.
 */
public abstract class Task {
  private @Nullable TaskValues values;
  private @Nullable TaskContext context;

  /**
   * Does the work. It may be called more than once: after a failure, or when a machine was lost.
   *
   * @throws Exception if it fails; the job's failure strategy decides what happens then
   */
  protected abstract void task() throws Exception;

  /**
   * Called on a new object before each further attempt, for example to refresh a token or clean up.
   *
   * @param previousError description of the failure; may be empty
   * @throws Exception if trying again now is pointless; counts as a failed attempt
   */
  protected void rescue(String previousError) throws Exception {}

  /**
   * Undoes the finished task because the job as a whole failed. Provides the values that the task
   * had and those it produced.
   *
   * @throws Exception if undoing failed; it is then tried again
   */
  protected void rollback() throws Exception {}

  /** The value of a type or one of its subtypes. */
  protected final <T> T get(Class<T> type) {
    return values()
        .find(type)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "There is no value of type "
                        + type.getName()
                        + ": name it in @Preconditions of "
                        + getClass().getName()
                        + "."));
  }

  /** The value that a parameter of the textual form stands for. */
  protected final <T> T get(Class<T> type, String parameter) {
    String name = argument(parameter);
    return values()
        .find(type, name)
        .orElseThrow(() -> new IllegalStateException("The value " + name + " has no content."));
  }

  /** The value of a type, if it exists. */
  protected final <T> Optional<T> find(Class<T> type) {
    return values().find(type);
  }

  /** The name of the value that a parameter of the textual form stands for. */
  protected final String argument(String parameter) {
    String name = values().arguments().get(parameter);
    if (name == null) {
      throw new IllegalArgumentException(
          getClass().getName() + " has no parameter '" + parameter + "'.");
    }
    return name;
  }

  /** All parameters of the textual form with the names of their values. */
  protected final Map<String, String> arguments() {
    return values().arguments();
  }

  /** Stores a value for later tasks and the job's results; replaces a value of the same type. */
  protected final void put(Object value) {
    values().put(Objects.requireNonNull(value));
  }

  /** Sets the content of the value that a parameter stands for. */
  protected final void put(String parameter, Object value) {
    values().put(argument(parameter), Objects.requireNonNull(value));
  }

  protected final TaskContext context() {
    return Objects.requireNonNull(context, "the task has not been started");
  }

  private TaskValues values() {
    return Objects.requireNonNull(values, "the task has not been started");
  }

  /** Binds a new task to its context before the first call. Called by whatever runs the task. */
  public final void begin(TaskValues given, TaskContext running) {
    values = given;
    context = running;
  }

  /** Runs one attempt; calls {@link #rescue} first unless it is the first one. */
  public final void attempt(String previousError) throws Exception {
    if (context().attempt() > 1) {
      rescue(previousError);
    }
    task();
    requireEffects();
  }

  /** What it promised and did not leave would be missing only later, or never be missed. */
  private void requireEffects() {
    Effects promised = getClass().getAnnotation(Effects.class);
    for (Class<?> type : promised == null ? new Class<?>[0] : promised.value()) {
      if (values().made().values().stream().noneMatch(type::isInstance)) {
        throw new IllegalStateException(
            "%s lists %s in @Effects but did not put it."
                .formatted(getClass().getName(), type.getName()));
      }
    }
  }

  /** Runs {@link #rollback}. */
  public final void undo() throws Exception {
    rollback();
  }
}
