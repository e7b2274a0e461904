package dev.imker.tasks.values;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A description of an exception, which is not sent itself because its class may be unknown
 * elsewhere.
 *
 * @param frames of its stack trace, without those below the call, cut if there are many
 */
public record Failure(String type, String message, List<Frame> frames, @Nullable Failure cause) {
  private static final int MAX_FRAMES = 100;
  private static final int MAX_CAUSES = 8;
  private static final String HOST = "dev.imker.agent.internal.host.";

  /** A line of a stack trace. */
  public record Frame(String type, String method, String file, int line) {
    static Frame of(StackTraceElement element) {
      String file = element.getFileName();
      return new Frame(
          element.getClassName(),
          element.getMethodName(),
          file == null ? "" : file,
          element.getLineNumber());
    }

    StackTraceElement element() {
      return new StackTraceElement(type, method, file.isEmpty() ? null : file, line);
    }
  }

  public Failure {
    frames = List.copyOf(frames);
  }

  /** A failure with a message only. */
  public static Failure of(String type, String message) {
    return new Failure(type, message, List.of(), null);
  }

  public static Failure of(Throwable cause) {
    return of(cause, 0);
  }

  private static Failure of(Throwable thrown, int depth) {
    List<Frame> frames = new ArrayList<>();
    for (StackTraceElement element : thrown.getStackTrace()) {
      if (frames.size() == MAX_FRAMES || element.getClassName().startsWith(HOST)) {
        break;
      }
      frames.add(Frame.of(element));
    }
    Throwable cause = thrown.getCause();
    return new Failure(
        thrown.getClass().getName(),
        thrown.getMessage() == null ? "" : thrown.getMessage(),
        frames,
        cause == null || depth == MAX_CAUSES ? null : of(cause, depth + 1));
  }

  /** The stack trace as text. */
  public String trace() {
    StringBuilder text = new StringBuilder(toString());
    frames.forEach(frame -> text.append("\n\tat ").append(frame.element()));
    return cause == null
        ? text.toString()
        : text.append("\nCaused by: ").append(cause.trace()).toString();
  }

  public StackTraceElement[] stackTrace() {
    return frames.stream().map(Frame::element).toArray(StackTraceElement[]::new);
  }

  /**
   * An exception of the same class, with the remote stack trace and causes; empty if the class is
   * unknown here or has none of the usual constructors.
   */
  public Optional<Throwable> rebuilt(ClassLoader classes) {
    Throwable inner =
        cause == null
            ? null
            : cause
                .rebuilt(classes)
                .orElseGet(() -> cause.traced(new RuntimeException(cause.toString())));
    try {
      Class<?> known = Class.forName(type, false, classes);
      return Throwable.class.isAssignableFrom(known)
          ? made(known.asSubclass(Throwable.class), inner).map(this::traced)
          : Optional.empty();
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      return Optional.empty();
    }
  }

  private Throwable traced(Throwable made) {
    made.setStackTrace(stackTrace());
    return made;
  }

  private Optional<Throwable> made(Class<? extends Throwable> known, @Nullable Throwable inner)
      throws ReflectiveOperationException {
    for (var constructor : known.getDeclaredConstructors()) {
      if (!constructor.trySetAccessible()) {
        continue;
      }
      List<Class<?>> takes = List.of(constructor.getParameterTypes());
      if (takes.equals(List.of(String.class)) || (takes.isEmpty() && message.isEmpty())) {
        Object[] arguments = takes.isEmpty() ? new Object[0] : new Object[] {message};
        Throwable made = (Throwable) constructor.newInstance(arguments);
        if (inner != null && made.getCause() == null) {
          made.initCause(inner);
        }
        return Optional.of(made);
      }
      if (takes.equals(List.of(String.class, Throwable.class))) {
        return Optional.of((Throwable) constructor.newInstance(message, inner));
      }
    }
    return Optional.empty();
  }

  /** In one line. */
  @Override
  public String toString() {
    return message.isEmpty() || type.isEmpty() ? type + message : type + ": " + message;
  }
}
