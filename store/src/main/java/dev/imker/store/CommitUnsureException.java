package dev.imker.store;

/**
 * The database was lost while it was told to commit and did not come back in time: the changes are
 * there either all or not at all. Whoever goes on must read the state again.
 */
public final class CommitUnsureException extends StoreException {
  private static final long serialVersionUID = 1L;

  public CommitUnsureException(String message, Throwable cause) {
    super(message, cause);
  }
}
