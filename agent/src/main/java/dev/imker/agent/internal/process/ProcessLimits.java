package dev.imker.agent.internal.process;

import dev.imker.model.job.Requirements;

/**
 * The limits of one process tree; 0 means no limit.
 *
 * @param memoryBytes of the tree, as it is seen by looking at it now and then
 * @param cpuSeconds processor time of the tree
 * @param processes at a time
 * @param openFiles of each process
 * @param fileBytes the largest file a process may write
 * @param coreHundredths processor time at a time, as part of a core's, where the kernel counts it
 * @param memoryOf whose limit that of the memory is
 */
public record ProcessLimits(
    long memoryBytes,
    long cpuSeconds,
    int processes,
    int openFiles,
    long fileBytes,
    int coreHundredths,
    MemoryOf memoryOf) {
  public static final ProcessLimits NONE = new ProcessLimits(0, 0, 0, 0, 0);

  /** Who limits the memory of a task. */
  public enum MemoryOf {
    OWNER,
    /** Its job, so that a task that has gone wrong ends. */
    JOB,
    /** Its own needs: that is what the pool has set aside for it. */
    NEEDS
  }

  /** All of the node's owner. */
  public ProcessLimits(
      long memoryBytes, long cpuSeconds, int processes, int openFiles, long fileBytes) {
    this(memoryBytes, cpuSeconds, processes, openFiles, fileBytes, 0, MemoryOf.OWNER);
  }

  /** Whether the tree has to be looked at to keep them. */
  boolean needWatching() {
    return memoryBytes > 0 || cpuSeconds > 0 || processes > 0;
  }

  /** With another limit of memory; the smaller one counts, 0 is none. */
  public ProcessLimits withMemory(long bytes, MemoryOf whose) {
    return bytes == 0 || (memoryBytes > 0 && memoryBytes <= bytes)
        ? this
        : new ProcessLimits(
            bytes, cpuSeconds, processes, openFiles, fileBytes, coreHundredths, whose);
  }

  /** With no more processor time than a part of a core gives; whole cores limit themselves. */
  public ProcessLimits withCores(long hundredths) {
    return hundredths % Requirements.HUNDREDTHS == 0
        ? this
        : new ProcessLimits(
            memoryBytes,
            cpuSeconds,
            processes,
            openFiles,
            fileBytes,
            Math.toIntExact(hundredths),
            memoryOf);
  }
}
