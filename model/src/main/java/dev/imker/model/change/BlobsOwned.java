package dev.imker.model.change;

import dev.imker.model.BlobId;
import java.util.Map;

/** Files that a user brought, with their sizes. Those the user has already are fresh again. */
public record BlobsOwned(String user, Map<BlobId, Long> sizes, long atMillis)
    implements RecordChange {
  public BlobsOwned {
    sizes = Map.copyOf(sizes);
  }
}
