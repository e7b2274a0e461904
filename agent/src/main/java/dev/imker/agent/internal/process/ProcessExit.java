package dev.imker.agent.internal.process;

/**
 * How a process ended. {@code signal} is 0 unless a signal ended it; the exit code is then 128 plus
 * the signal, as shells have it. CPU time counts the process and all descendants it waited for;
 * peak memory is that of the tree as far as it was seen, 0 where the run was too short to see it.
 * {@code overrun} says which limit it was ended for, and is empty if it was none. {@code
 * outOfMemory} tells that with more memory it might not have ended so.
 */
public record ProcessExit(
    int exitCode,
    int signal,
    long cpuMillis,
    long peakMemoryBytes,
    String overrun,
    boolean outOfMemory) {
  public ProcessExit(int exitCode, int signal, long cpuMillis, long peakMemoryBytes) {
    this(exitCode, signal, cpuMillis, peakMemoryBytes, "", false);
  }

  public boolean succeeded() {
    return exitCode == 0;
  }
}
