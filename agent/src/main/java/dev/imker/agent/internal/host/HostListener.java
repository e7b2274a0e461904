package dev.imker.agent.internal.host;

/** Is notified about a run in a host, on threads of the host's connection; must not block. */
public interface HostListener {
  /** The loss of a host from the point of view of a run. */
  enum Loss {
    BEFORE_IT_BEGAN,
    /** Any of its runs may be the cause. */
    BESIDE_OTHERS,
    ALONE,
    /** Also alone, but ended by a signal, which may have come from somebody else. */
    KILLED_ALONE
  }

  void ended(Ended end);

  /**
   * The host is gone, and the outcome of the run is unknown.
   *
   * @param outOfMemory whether it ended for lack of memory
   */
  void lost(String reason, Loss when, boolean outOfMemory);

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
