package dev.imker.server.internal.rest.data;

import dev.imker.server.http.ApiException;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Refuses what comes in while it would take room that is kept for something else. It may be longer
 * than it says, and others bring something at the same time: the disk is looked at again and again.
 */
public final class RoomWatch {
  private static final long STEP_BYTES = 4 << 20;

  private final LongFunction<Optional<String>> lack;
  private long nextBytes = STEP_BYTES;

  /**
   * @param lack why so many bytes more do not fit; empty if they do
   * @param announced bytes that are to come; 0 if that is not known
   */
  public RoomWatch(LongFunction<Optional<String>> lack, long announced) {
    this.lack = lack;
    require(lack.apply(Math.max(0, announced)));
  }

  /** So many bytes have come. */
  public void came(long bytes) {
    if (bytes >= nextBytes) {
      nextBytes = bytes + STEP_BYTES;
      require(lack.apply(0));
    }
  }

  public static void require(Optional<String> lacking) {
    lacking.ifPresent(
        why -> {
          throw ApiException.of(ApiException.NO_ROOM, "disk_full", why);
        });
  }
}
