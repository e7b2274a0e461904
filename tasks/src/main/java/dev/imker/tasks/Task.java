package dev.imker.tasks;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One step of a planned job. A subclass has a constructor without arguments, is marked with {@link
 * Action}, and takes and leaves values (records, mostly) by {@link #get} and {@link #put}. Every
 * attempt gets an object of its own.
 */
public abstract class Task {
  private @Nullable TaskValues values;
  private @Nullable TaskContext context;

  /**
   * Does the work. May be done more than once: after a failure, or when a machine was lost.
   *
   * @throws Exception if it cannot be done; what becomes of the job then is the job's choice
   */
  protected abstract void task() throws Exception;

  /**
   * Called before a further attempt, on a new object: the place to refresh a token or to tidy up.
   *
   * @param previousError what is known of the failure, in words; may be empty
   * @throws Exception if there is no use in trying again now; counts as a failed attempt
   */
  protected void rescue(String previousError) throws Exception {}

  /**
   * Undoes the finished task because the job as a whole failed. The values are those that the task
   * had and made.
   *
   * @throws Exception if it could not be undone; it is then tried again
   */
  protected void rollback() throws Exception {}

  /** The value of a type. Subtypes count. */
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

  /** The value of a type, if it is there. */
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

  /** Leaves a value for later tasks and for whoever wants it; replaces one of the same type. */
  protected final void put(Object value) {
    values().put(Objects.requireNonNull(value));
  }

  /** Gives the value that a parameter stands for a new content. */
  protected final void put(String parameter, Object value) {
    values().put(argument(parameter), Objects.requireNonNull(value));
  }

  protected final TaskContext context() {
    return Objects.requireNonNull(context, "the task has not been started");
  }

  private TaskValues values() {
    return Objects.requireNonNull(values, "the task has not been started");
  }

  /** Binds a new task to what it works on, before the first call. For those who run tasks. */
  public final void begin(TaskValues given, TaskContext running) {
    values = given;
    context = running;
  }

  /** Runs one attempt: {@link #rescue} first if it is not the first one. */
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
            "%s names %s in @Effects but has not put one."
                .formatted(getClass().getName(), type.getName()));
      }
    }
  }

  /** Runs {@link #rollback}. */
  public final void undo() throws Exception {
    rollback();
  }
}
