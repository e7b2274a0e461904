package dev.imker.store;

import dev.imker.model.account.AuditEntry;
import java.util.List;
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

  /** What to sum up by, besides the user. */
  enum Grouping {
    USER,
    NODE,
    DAY,
    PROJECT
  }

  /**
   * Use of a user, and of a node, a day or a project where that was asked for; otherwise empty.
   * What was wasted is included in the other figures.
   */
  record Usage(
      String user,
      String group,
      long attempts,
      long wastedAttempts,
      long cpuMillis,
      long wastedCpuMillis,
      long wallMillis,
      long wastedWallMillis,
      long bytesIn,
      long bytesOut) {}

  /**
   * Sums, by user and group.
   *
   * @param user only this one, or null for all
   * @param sinceDay days since 1970
   */
  List<Usage> usage(@Nullable String user, Grouping grouping, long sinceDay);
}
