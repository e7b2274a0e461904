package dev.imker.client.executor;

import dev.imker.model.ImkerException;
import dev.imker.tasks.values.Failure;

/**
 * A call failed where it was made, in a way that has no exception here: its process was lost, or
 * the class of its exception is not known to this program. Its stack trace is the one of there.
 */
public final class RemoteFailureException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final String remoteType;
  private final String remoteTrace;

  /**
   * @param classes where those of the causes are looked for
   */
  public RemoteFailureException(Failure failure, ClassLoader classes) {
    super(failure.toString());
    this.remoteType = failure.type();
    this.remoteTrace = failure.trace();
    Failure cause = failure.cause();
    if (cause != null) {
      initCause(cause.rebuilt(classes).orElseGet(() -> new RemoteFailureException(cause, classes)));
    }
    if (!failure.frames().isEmpty()) {
      setStackTrace(failure.stackTrace());
    }
  }

  /** The class of the exception that was thrown there; empty if the call never got that far. */
  public String remoteType() {
    return remoteType;
  }

  /** The stack trace of there, as text. */
  public String remoteTrace() {
    return remoteTrace;
  }
}
