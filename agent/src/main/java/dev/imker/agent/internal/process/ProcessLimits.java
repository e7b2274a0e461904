package dev.imker.agent.internal.process;

/**
 * What one process tree may use; 0 is no limit.
 *
 * @param memoryBytes of the tree, as it is seen by looking at it now and then
 * @param cpuSeconds processor time of the tree
 * @param processes at a time
 * @param openFiles of each process
 * @param fileBytes the largest file a process may write
 * @param cores the tree runs on at most so many of the machine's cores
 * @param memoryOfJob whether the limit of memory is that of the job, not of the node's owner
 */
public record ProcessLimits(
    long memoryBytes,
    long cpuSeconds,
    int processes,
    int openFiles,
    long fileBytes,
    int cores,
    boolean memoryOfJob) {
  public static final ProcessLimits NONE = new ProcessLimits(0, 0, 0, 0, 0, 0);

  /** All of the node's owner. */
  public ProcessLimits(
      long memoryBytes, long cpuSeconds, int processes, int openFiles, long fileBytes, int cores) {
    this(memoryBytes, cpuSeconds, processes, openFiles, fileBytes, cores, false);
  }

  /** Whether the tree has to be looked at to keep them. */
  boolean needWatching() {
    return memoryBytes > 0 || cpuSeconds > 0 || processes > 0;
  }

  /** With what a job allows each of its tasks; the smaller limit counts, 0 is none. */
  public ProcessLimits withMemoryOfJob(long bytes) {
    return bytes == 0 || (memoryBytes > 0 && memoryBytes <= bytes)
        ? this
        : new ProcessLimits(bytes, cpuSeconds, processes, openFiles, fileBytes, cores, true);
  }

  public ProcessLimits withCores(int count) {
    return new ProcessLimits(
        memoryBytes, cpuSeconds, processes, openFiles, fileBytes, count, memoryOfJob);
  }
}
