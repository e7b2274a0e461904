package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;

/** The received bytes do not have the announced hash. */
public final class BlobMismatchException extends StoreException {
  private static final long serialVersionUID = 1L;

  public BlobMismatchException(BlobId expected, BlobId actual, long size) {
    super(
        "The content of blob "
            + expected
            + " came with hash "
            + actual
            + " ("
            + size
            + " bytes): it was damaged or truncated in transit. Upload it again.");
  }
}
