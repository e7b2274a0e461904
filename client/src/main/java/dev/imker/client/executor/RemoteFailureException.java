package dev.imker.client.executor;

import dev.imker.model.ImkerException;
import dev.imker.tasks.values.Failure;

/**
 * A call failed remotely without an equivalent exception here: its process was lost, or the class
 * of its exception is unknown to this program. It has the remote stack trace.
 */
public final class RemoteFailureException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final String remoteType;
  private final String remoteTrace;

  /**
   * @param classes loader for the classes of the causes
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

  /** The class of the remote exception; empty if the call did not get that far. */
  public String remoteType() {
    return remoteType;
  }

  /** The remote stack trace as text. */
  public String remoteTrace() {
    return remoteTrace;
  }
}
