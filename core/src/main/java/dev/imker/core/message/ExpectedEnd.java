package dev.imker.core.message;

/**
 * When a job should be at its end by what is known of run times, if it keeps as many tasks running
 * as now. In about 80 of 100 cases it ends between the earliest and the latest.
 */
public record ExpectedEnd(long atMillis, long earliestMillis, long latestMillis) {}
