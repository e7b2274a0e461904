package dev.imker.store;

/**
 * The store cannot be used any more: it is not known what of the last transaction is on disk, or
 * the database is damaged. The server must stop; a new start finds out.
 */
public final class StoreBrokenException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreBrokenException(String message, Throwable cause) {
    super(message, cause);
  }
}
