package dev.imker.server.internal.retention;

import dev.imker.model.JobStatus;

/**
 * How long finished work is kept; {@link #FOR_EVER} where nothing ends it.
 *
 * @param doneDays jobs that are done or cancelled, after they settled
 * @param failedDays jobs of which something failed
 * @param maxBytes files of all jobs together; beyond that the jobs that settled first go
 * @param auditDays the record of who did what
 */
public record RetentionRules(long doneDays, long failedDays, long maxBytes, long auditDays) {
  public static final long FOR_EVER = -1;
  public static final RetentionRules USUAL = new RetentionRules(FOR_EVER, FOR_EVER, FOR_EVER, 365);

  long days(JobStatus status) {
    return status == JobStatus.FAILED ? failedDays : doneDays;
  }

  /** Kept in one line of numbers. */
  String text() {
    return doneDays + "," + failedDays + "," + maxBytes + "," + auditDays;
  }

  static RetentionRules parse(String text) {
    String[] parts = text.split(",", -1);
    return new RetentionRules(
        Long.parseLong(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }
}
