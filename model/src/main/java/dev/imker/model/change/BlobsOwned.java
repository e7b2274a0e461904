package dev.imker.model.change;

import dev.imker.model.BlobId;
import java.util.Map;

/** Files uploaded by a user, with their sizes. The age of existing ones is reset. */
public record BlobsOwned(String user, Map<BlobId, Long> sizes, long atMillis)
    implements RecordChange {
  public BlobsOwned {
    sizes = Map.copyOf(sizes);
  }
}
