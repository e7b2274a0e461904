package dev.imker.server.live.shared;

import dev.imker.model.shared.SharedKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * How much memory what tasks share takes, by user: all of it lies in the memory of the server that
 * leads. Nobody may take so much that others find no room.
 */
final class SharedRoom {
  private static final long ALL_BYTES = 256L << 20;
  private static final long MAX_BYTES = 64L << 20;
  private static final long MIN_BYTES = 1L << 20;

  /** What an entry takes besides its data. */
  private static final int OVERHEAD_BYTES = 400;

  private final UnaryOperator<String> owners;
  private final Map<String, Long> bytes = new HashMap<>();
  private final Map<String, Long> ofScopes = new HashMap<>();
  private final Map<String, String> ownerOfScope = new HashMap<>();

  SharedRoom(UnaryOperator<String> owners) {
    this.owners = owners;
  }

  void take(SharedKey key, int dataBytes) {
    count(key.scope(), dataBytes + OVERHEAD_BYTES);
  }

  void leave(SharedKey key, int dataBytes) {
    count(key.scope(), -dataBytes - OVERHEAD_BYTES);
  }

  private void count(String scope, long difference) {
    String owner = ownerOfScope.computeIfAbsent(scope, owners);
    bytes.merge(owner, difference, Long::sum);
    bytes.remove(owner, 0L);
    ofScopes.merge(scope, difference, Long::sum);
    if (ofScopes.remove(scope, 0L)) {
      ownerOfScope.remove(scope);
    }
  }

  /**
   * @throws SharedFullException if the user of the scope has no room for it
   */
  void require(SharedKey key, int dataBytes) {
    String owner = ownerOfScope.getOrDefault(key.scope(), owners.apply(key.scope()));
    long used = bytes.getOrDefault(owner, 0L);
    long fairBytes = ALL_BYTES / Math.max(1, bytes.size());
    long most = Math.clamp(fairBytes, MIN_BYTES, MAX_BYTES);
    if (used + dataBytes + OVERHEAD_BYTES > most) {
      throw new SharedFullException(
          "The data shared by the tasks of one user is limited to %d MB at the moment, and the limit is reached; take something"
                  .formatted(most >> 20)
              + " out of queues, or put large data on the blackboard and its name here.");
    }
  }
}
