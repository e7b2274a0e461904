package dev.imker.store;

import dev.imker.model.account.AuditEntry;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries of the audit log and of usage; usable from any thread. */
public interface Journal {
  /** An entry with its number; numbers increase. */
  record Entry(long id, AuditEntry entry) {}

  /**
   * Entries, newest first.
   *
   * @param before only entries with smaller numbers, or 0 to start with the newest
   */
  List<Entry> audit(@Nullable String user, long sinceMillis, long before, int limit);

  /** The dimensions for grouping. */
  enum Grouping {
    USER,
    PROJECT,
    NODE,
    DAY
  }

  /**
   * Usage by user, project, node and day; dimensions that were not requested are empty. Wasted
   * amounts are included in the other figures.
   *
   * @param group the dimension in addition to the user
   * @param coreMillis milliseconds times the reserved cores
   * @param memoryMbSeconds seconds times the reserved megabytes
   */
  record Usage(
      String user,
      String group,
      String project,
      String node,
      String day,
      long attempts,
      long wastedAttempts,
      long cpuMillis,
      long wastedCpuMillis,
      long wallMillis,
      long wastedWallMillis,
      long coreMillis,
      long gpuMillis,
      long memoryMbSeconds,
      long bytesIn,
      long bytesOut) {}

  /**
   * Sums, one for each combination of the requested dimensions.
   *
   * @param user only this one, or null for all
   * @param sinceDay days since 1970
   */
  List<Usage> usage(@Nullable String user, Set<Grouping> by, long sinceDay);
}
