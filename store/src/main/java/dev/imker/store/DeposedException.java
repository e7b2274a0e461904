package dev.imker.store;

/**
 * Another server has begun a term since this one did, so this one may not write any more; whatever
 * it wanted to write was not written.
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
