package dev.imker.store;

/** There is no space left on the disk; nothing was changed, and the operation may be retried. */
public final class StoreFullException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
