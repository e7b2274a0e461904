package dev.imker.server.internal.settings;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Room on the server's disks that new work may not take: what runs has to be written to its end.
 *
 * @param folders on whose disks there has to be room
 */
public record DiskReserve(PoolSettings settings, List<Path> folders) {
  private static final String NAME = "disk.reserve-mb";
  private static final long USUAL_MEGABYTES = 256;
  private static final int USUAL_SHARE = 20;

  /** Results of what runs may take most of the reserve, but the database needs room too. */
  private static final int SHARE_OF_DATABASE = 4;

  private static final long MEGABYTE = 1 << 20;

  /** Megabytes; a small disk keeps a twentieth of itself. */
  private static long usual(Path folder) {
    return Math.min(USUAL_MEGABYTES, folder.toFile().getTotalSpace() / MEGABYTE / USUAL_SHARE);
  }

  /**
   * Why nothing more is taken; empty while there is room.
   *
   * @param bytes that are to come
   */
  public Optional<String> lack(long bytes) {
    return lack(bytes, 1);
  }

  /**
   * Why a result of what runs cannot be kept; empty while there is room.
   *
   * @param bytes that are to come
   */
  public Optional<String> lackForResults(long bytes) {
    return lack(bytes, SHARE_OF_DATABASE);
  }

  /**
   * @param share the part of the reserve that stays: one in so many
   */
  private Optional<String> lack(long bytes, int share) {
    return folders.stream().flatMap(folder -> lack(folder, bytes, share).stream()).findFirst();
  }

  private Optional<String> lack(Path folder, long bytes, int share) {
    long reserve = Long.parseLong(settings.get(NAME, Long.toString(usual(folder)))) / share;
    long free = folder.toFile().getUsableSpace();
    return free / MEGABYTE >= reserve && free - bytes >= reserve * MEGABYTE
        ? Optional.empty()
        : Optional.of(
            "The server's disk has no room%s: %d MB are free, and %d MB are held in reserve (setting %s). Free some space, or delete old jobs with 'imker delete', then try again."
                .formatted(
                    bytes >= MEGABYTE ? " for %d MB more".formatted(bytes / MEGABYTE) : "",
                    free / MEGABYTE,
                    reserve,
                    NAME));
  }
}
