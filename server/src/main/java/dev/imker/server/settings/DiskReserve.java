package dev.imker.server.settings;

import java.nio.file.Path;
import java.util.Optional;

/** Room on the server's disk that new work may not take: what runs has to be written to its end. */
public record DiskReserve(PoolSettings settings, Path folder) {
  private static final String NAME = "disk.reserve-mb";
  private static final long USUAL_MEGABYTES = 256;
  private static final int USUAL_SHARE = 20;

  /** Results of what runs may take most of the reserve, but the database needs room too. */
  private static final int SHARE_OF_DATABASE = 4;

  private static final long MEGABYTE = 1 << 20;

  /** Megabytes; a small disk keeps a twentieth of itself. */
  private long usual() {
    return Math.min(USUAL_MEGABYTES, folder.toFile().getTotalSpace() / MEGABYTE / USUAL_SHARE);
  }

  /**
   * Why nothing more is taken; empty while there is room.
   *
   * @param bytes that are to come
   */
  public Optional<String> lack(long bytes) {
    return lack(bytes, reserve());
  }

  /**
   * Why a result of what runs cannot be kept; empty while there is room.
   *
   * @param bytes that are to come
   */
  public Optional<String> lackForResults(long bytes) {
    return lack(bytes, reserve() / SHARE_OF_DATABASE);
  }

  private long reserve() {
    return Long.parseLong(settings.get(NAME, Long.toString(usual())));
  }

  private Optional<String> lack(long bytes, long reserve) {
    long free = folder.toFile().getUsableSpace();
    return free / MEGABYTE >= reserve && free - bytes >= reserve * MEGABYTE
        ? Optional.empty()
        : Optional.of(
            "There is no room on the server's disk%s: %d MB are free, and %d MB are kept in reserve (the setting %s). Make room, or delete old jobs with 'imker delete'; then try again."
                .formatted(
                    bytes >= MEGABYTE ? " for %d MB more".formatted(bytes / MEGABYTE) : "",
                    free / MEGABYTE,
                    reserve,
                    NAME));
  }
}
