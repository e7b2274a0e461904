package dev.imker.store;

/**
 * The database was lost during a commit and did not come back in time: either all changes were made
 * or none. The caller must read the state again before continuing.
 */
public final class CommitUnsureException extends StoreException {
  private static final long serialVersionUID = 1L;

  public CommitUnsureException(String message, Throwable cause) {
    super(message, cause);
  }
}
