package dev.imker.agent.internal.process;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A process of Java's own, and what descends from it. */
final class PortableProcess implements TaskProcess {
  /** Signals up to this one end processes; a shell's code 128+n stands for such an end. */
  private static final int LAST_SIGNAL = 31;

  private static final int SIGXCPU = 24;
  private static final int SIGXFSZ = 25;

  private final Process process;
  private final ProcessLimits limits;
  private final @Nullable WindowsJob job;
  private volatile long memoryBytes;
  private volatile long peakBytes;
  private volatile String overrun = "";

  PortableProcess(Process process, ProcessLimits limits) {
    this.process = process;
    this.limits = limits;
    this.job = PortableExecutor.WINDOWS ? WindowsJob.hold(process.pid(), limits) : null;
  }

  void watch(Consumer<ProcessExit> onExit) {
    PortableTrees.watch(this);
    CompletableFuture<Process> end = process.onExit();
    var _ =
        end.thenAccept(
            ended -> {
              int code = ended.exitValue();
              int signal =
                  !PortableExecutor.WINDOWS && code > 128 && code <= 128 + LAST_SIGNAL
                      ? code - 128
                      : 0;
              long cpuMillis = ended.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
              if (job != null) {
                peakBytes = Math.max(peakBytes, job.peakBytes());
                job.close();
              }
              String why = overrun.isEmpty() ? overrunBy(signal) : overrun;
              onExit.accept(
                  new ProcessExit(
                      code, signal, cpuMillis, peakBytes, why, why.contains("of memory")));
            });
  }

  private String overrunBy(int signal) {
    if (signal == SIGXCPU && limits.cpuSeconds() > 0) {
      return TreeWatch.overCpu(limits.cpuSeconds());
    }
    return signal == SIGXFSZ && limits.fileBytes() > 0
        ? TreeWatch.overFile(limits.fileBytes())
        : "";
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What was seen of it now; on Windows its job object knows more. */
  void looked(long bytes, int processes) {
    memoryBytes = job == null ? bytes : job.peakBytes();
    peakBytes = Math.max(peakBytes, memoryBytes);
    if (!overrun.isEmpty()) {
      return;
    }
    if (limits.memoryBytes() > 0 && memoryBytes > limits.memoryBytes()) {
      overrun = TreeWatch.overMemory(limits);
    } else if (limits.processes() > 0 && processes > limits.processes()) {
      overrun = TreeWatch.overProcesses(limits.processes());
    }
    if (!overrun.isEmpty()) {
      kill();
    }
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public long memoryBytes() {
    return memoryBytes;
  }

  @Override
  public long cpuMillis() {
    return process.info().totalCpuDuration().map(Duration::toMillis).orElse(0L);
  }

  @Override
  public void kill() {
    List<ProcessHandle> tree = process.descendants().toList();
    process.destroyForcibly();
    tree.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public boolean freeze(boolean on) {
    if (!process.isAlive()) {
      return false;
    }
    List<Long> tree = new ArrayList<>(List.of(process.pid()));
    process.descendants().forEach(one -> tree.add(one.pid()));
    if (PortableExecutor.WINDOWS) {
      return tree.stream().filter(pid -> WindowsJob.suspend(pid, on)).count() > 0;
    }
    List<String> command = new ArrayList<>(List.of("/bin/kill", on ? "-STOP" : "-CONT"));
    tree.forEach(pid -> command.add(pid.toString()));
    try {
      new ProcessBuilder(command).start().waitFor();
      return true;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void terminate(long graceMillis) {
    if (graceMillis <= 0) {
      kill();
      return;
    }
    // Remembered now: once their parent is gone they can no longer be found.
    List<ProcessHandle> tree = process.descendants().toList();
    process.destroy();
    tree.forEach(ProcessHandle::destroy);
    freeze(false); // whoever is frozen cannot tidy up
    CompletableFuture.delayedExecutor(graceMillis, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              kill();
              tree.forEach(ProcessHandle::destroyForcibly);
            });
  }
}
