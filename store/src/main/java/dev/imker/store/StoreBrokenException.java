package dev.imker.store;

/**
 * The store can no longer be used: it is unknown whether the last transaction is on disk, or the
 * database is damaged. The server must stop; the next start determines the state.
 */
public final class StoreBrokenException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreBrokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
