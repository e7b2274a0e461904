package dev.imker.store;

import dev.imker.model.account.AuditEntry;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Queries of what was done and what it used; usable from any thread. */
public interface Journal {
  /** An entry with its number; the numbers grow. */
  record Entry(long id, AuditEntry entry) {}

  /**
   * Entries, newest first.
   *
   * @param before only entries with smaller numbers, or 0 to start with the newest
   */
  List<Entry> audit(@Nullable String user, long sinceMillis, long before, int limit);

  /** What to sum up by. */
  enum Grouping {
    USER,
    PROJECT,
    NODE,
    DAY
  }

  /**
   * Use of a user, a project, a node, a day; those that were not asked for are empty. What was
   * wasted is included in the other figures.
   *
   * @param group what it is grouped by besides the user
   * @param coreMillis milliseconds times the cores that were taken
   * @param memoryMbSeconds seconds times the megabytes that were taken
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
   * Sums, one for each combination of what is asked for.
   *
   * @param user only this one, or null for all
   * @param sinceDay days since 1970
   */
  List<Usage> usage(@Nullable String user, Set<Grouping> by, long sinceDay);
}
