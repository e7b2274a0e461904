package dev.imker.agent.internal.host;

/** Hears of a run in a host, on threads of the host's connection; must not block. */
public interface HostListener {
  void ended(Ended end);

  /**
   * The host is gone, and nothing says what had become of the run.
   *
   * @param alone whether nothing else ran in it
   * @param outOfMemory whether it ended for lack of memory
   */
  void lost(String reason, boolean alone, boolean outOfMemory);

  void progress(double fraction, String text);

  /** Whether the task waits for sub-tasks now. */
  void waits(boolean on);

  /**
   * A value to begin a further attempt with.
   *
   * @param call its position among the calls of the task
   */
  void checkpoint(int call, byte[] value);

  /** What the task writes to its log, while somebody follows that. */
  void wrote(long offset, byte[] text);

  /** The task asks something of the pool; the answer may come later, from any thread. */
  void asked(HostRequest request);
}
