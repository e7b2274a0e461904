package dev.imker.client.internal.pool;

import dev.imker.client.internal.http.RestClient;
import dev.imker.model.BlobId;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Brings files to the server, and remembers which ones are there. A server that nobody needs them
 * from may remove them one day; whoever hears of that forgets them here and brings them again.
 */
final class Deposit {
  private static final int MAX_REMEMBERED = 10_000;

  private final RestClient rest;
  private final Set<BlobId> there = new LinkedHashSet<>();

  Deposit(RestClient rest) {
    this.rest = rest;
  }

  /** Returns when the server has all of them; waits for one that is away. */
  void bring(Map<BlobId, byte[]> blobs) throws InterruptedException {
    Map<BlobId, byte[]> absent = new HashMap<>(blobs);
    synchronized (this) {
      absent.keySet().removeAll(there);
    }
    if (absent.isEmpty()) {
      return;
    }
    rest.upload(absent);
    remember(absent.keySet());
  }

  private synchronized void remember(Collection<BlobId> blobs) {
    if (there.size() > MAX_REMEMBERED) {
      there.clear();
    }
    there.addAll(blobs);
  }

  synchronized void forget(Collection<BlobId> blobs) {
    there.removeAll(blobs);
  }
}
