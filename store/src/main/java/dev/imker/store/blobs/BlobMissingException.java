package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;

/** There is no such blob. */
public final class BlobMissingException extends StoreException {
  private static final long serialVersionUID = 1L;

  public BlobMissingException(BlobId blob) {
    super("There is no blob " + blob + ". Upload it first.");
  }
}
