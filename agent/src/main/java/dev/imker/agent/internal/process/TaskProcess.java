package dev.imker.agent.internal.process;

/** A process started by a {@link ProcessExecutor}, with all its descendants. */
public interface TaskProcess {
  long pid();

  /** Memory of the tree when it was last looked at; 0 while unknown. */
  long memoryBytes();

  /** Processor time of the tree so far, as far as it was seen; 0 where that cannot be told. */
  default long cpuMillis() {
    return 0;
  }

  /** Bytes on disk that the tree keeps in files without a name; 0 where that cannot be seen. */
  default long namelessBytes() {
    return 0;
  }

  /** Kills the process and every descendant, at once. Harmless when it is gone already. */
  void kill();

  /**
   * Freezes the whole tree where it is, or lets it go on. False if this system cannot do that, or
   * the process is gone.
   */
  boolean freeze(boolean on);

  /** Asks the tree to end; kills what is still there after the given time. */
  void terminate(long graceMillis);
}
