package dev.imker.model.change;

import dev.imker.model.BlobId;
import java.util.List;

/** Files that no longer count for a user, unless the user brought them after a moment. */
public record BlobsDisowned(String user, List<BlobId> blobs, long beforeMillis)
    implements RecordChange {
  public BlobsDisowned {
    blobs = List.copyOf(blobs);
  }
}
