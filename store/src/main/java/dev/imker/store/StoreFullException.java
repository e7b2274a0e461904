package dev.imker.store;

/** There is no space left on the disk; nothing was changed, and it may be tried again. */
public final class StoreFullException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
