package dev.imker.agent.internal.process;

/**
 * How a process ended. {@code signal} is 0 unless a signal ended it; the exit code is then 128 plus
 * the signal, as shells have it. CPU time counts the process and all descendants it waited for;
 * peak memory is that of the tree as far as it was seen, 0 where the run was too short to see it.
 */
public record ProcessExit(int exitCode, int signal, long cpuMillis, long peakMemoryBytes) {
  public boolean succeeded() {
    return exitCode == 0;
  }
}
