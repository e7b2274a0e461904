package dev.imker.store;

/**
 * Another server has begun a newer term, so this one may no longer write; the attempted write did
 * not happen.
 */
public final class DeposedException extends StoreException {
  private static final long serialVersionUID = 1L;

  public DeposedException(long epoch, long newest) {
    super(
        "Another server leads the pool now (term "
            + newest
            + "; this one had term "
            + epoch
            + "). Nothing was written; use the other server.");
  }
}
