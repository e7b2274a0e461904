package dev.imker.server.internal.blackboard;

import dev.imker.model.BlobId;
import dev.imker.model.ProjectId;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.store.BoardReads;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import java.io.IOException;
import java.io.InputStream;

/** The content of the blackboard, and who may change it. */
public record PoolBlackboard(BoardReads reads, BlobStore blobs, Quotas quotas) {
  public static final long MAX_BYTES = 64L << 20;
  public static final int MAX_ITEMS = 10_000;
  private static final int PIECE_BYTES = 64 << 10;

  /** Content that was taken in. */
  public record Content(BlobId blob, long size) {}

  /** Too much, in words. */
  public static final class TooMuchException extends dev.imker.model.ImkerException {
    private static final long serialVersionUID = 1;

    TooMuchException(String message) {
      super(message);
    }
  }

  public void requireRoom(ProjectId project, String name) {
    if (reads.item(project, name).isEmpty() && reads.count(project) >= MAX_ITEMS) {
      throw new TooMuchException(
          "The blackboard of %s has %,d items, which is the limit; remove some."
              .formatted(project, MAX_ITEMS));
    }
  }

  /** Takes content in, for the account of the project's user. */
  public Content take(ProjectId project, InputStream body) throws IOException {
    long room = Math.min(MAX_BYTES, quotas.storageLeft(project.user()));
    try (BlobUpload upload = blobs.upload()) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = body.read(piece); count >= 0; count = body.read(piece)) {
        upload.write(piece, 0, count);
        if (upload.size() > MAX_BYTES) {
          throw new TooMuchException(
              "More than %d MB do not fit on the blackboard; pass large files as results."
                  .formatted(MAX_BYTES >> 20));
        }
        if (upload.size() > room) {
          throw quotas.storageExceeded(project.user(), upload.size());
        }
      }
      long size = upload.size();
      return new Content(upload.finish(), size);
    }
  }
}
