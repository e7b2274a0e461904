package dev.imker.model.validation;

/** How large the parts of a job may be. */
public final class JobLimits {
  public static final int MAX_STAGES = 10_000;
  public static final int MAX_PRIORITY = 9;
  public static final int MAX_RESTARTS = 100;
  public static final int MAX_ADDRESSES = 20;

  public static final int MAX_ARGUMENTS = 10_000;
  public static final int MAX_COMMAND_CHARS = 120_000;
  public static final int MAX_PAYLOAD_CHARS = 1_000_000;
  public static final int MAX_STDIN_CHARS = 1_000_000;
  public static final int MAX_FILES = 10_000;
  public static final int MAX_PREDECESSORS = 10_000;

  public static final int MAX_AXES = 100;
  public static final int MAX_VALUES = 1_000_000;
  public static final int MAX_WIDTH = 30;
  public static final long MAX_NUMBER = Long.MAX_VALUE / 4;

  public static final int MAX_ALTERNATIVES = 20;
  public static final int MAX_CORES = 100_000;
  public static final int MAX_GPUS = 1000;

  /** Applies to a declared resource. */
  public static final int MAX_AMOUNT = 1_000_000_000;

  public static final int MAX_FAILURES = 100;
  public static final int MAX_QUORUM = 20;
  public static final int MAX_TRUST = 9;
  public static final int MAX_GLOBS = 1000;
  public static final long MAX_BACKOFF_MILLIS = 24L * 60 * 60 * 1000;
  public static final long MAX_RUNTIME_MILLIS = 366 * 24L * 60 * 60 * 1000;

  /** The end of the year 9999. */
  public static final long MAX_START_MILLIS = 253_402_300_799_000L;

  private JobLimits() {}
}
