package dev.imker.server.internal.archive;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** A file that is no archive of jobs, or a damaged one. */
public final class ArchiveException extends ImkerException {
  private static final long serialVersionUID = 1;

  ArchiveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
