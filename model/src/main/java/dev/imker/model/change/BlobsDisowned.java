package dev.imker.model.change;

import dev.imker.model.BlobId;
import java.util.List;

/**
 * Files that no longer count towards a user's storage, unless the user uploaded them after the
 * given time.
 */
public record BlobsDisowned(String user, List<BlobId> blobs, long beforeMillis)
    implements RecordChange {
  public BlobsDisowned {
    blobs = List.copyOf(blobs);
  }
}
