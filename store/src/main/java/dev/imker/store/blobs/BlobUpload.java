package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.OutputStream;

/**
 * A blob on its way in: write all bytes, then {@link #finish()}. Closing without finishing discards
 * what was written. For one thread at a time.
 */
public abstract class BlobUpload extends OutputStream {
  /** How many bytes were written so far. */
  public abstract long size();

  /**
   * Makes the blob durable and visible. Throws {@link BlobMismatchException}, and keeps nothing, if
   * the bytes do not have the expected hash.
   */
  public abstract BlobId finish();
}
