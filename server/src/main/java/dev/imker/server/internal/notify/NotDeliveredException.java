package dev.imker.server.internal.notify;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** A notice could not be delivered; a retry may help unless the failure is final. */
final class NotDeliveredException extends ImkerException {
  private static final long serialVersionUID = 1;
  private final boolean last;

  NotDeliveredException(String message, boolean last, @Nullable Throwable cause) {
    super(message, cause);
    this.last = last;
  }

  /** Whether another try makes no sense. */
  boolean isFinal() {
    return last;
  }
}
