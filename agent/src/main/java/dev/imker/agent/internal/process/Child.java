package dev.imker.agent.internal.process;

import dev.imker.agent.internal.process.ProcessLimits.MemoryOf;
import dev.imker.agent.internal.system.Libc;
import dev.imker.agent.internal.system.ProcFs;
import dev.imker.agent.internal.system.SchedulerGroup;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that the {@link Reaper} watches. Signals are sent only until it is reaped: from then on
 * its number may belong to somebody else.
 */
final class Child implements TaskProcess {
  private static final Logger LOG = LoggerFactory.getLogger(Child.class);
  private static final long FIRST_SAMPLE_NANOS = 50_000_000L;
  private static final long LONGEST_SAMPLE_NANOS = 2_000_000_000L;
  private static final long LONGEST_LIMITED_SAMPLE_NANOS = 200_000_000L;
  private static final int CALM_ATTEMPTS = 50;
  private static final int GATHERINGS = 100;

  private final Reaper reaper;
  private final int pid;
  private final int pidfd;
  private final String lease;
  private final Consumer<ProcessExit> onExit;
  private final ProcessLimits limits;
  private final ProcessPriority priority;
  private final TreeWatch watch;
  private boolean reaped; // guarded by this
  private boolean grouped; // whether that was tried; guarded by this
  private volatile @Nullable TaskGroup group;
  private volatile long killAtNanos;
  private volatile boolean killScheduled;
  private volatile boolean frozen;

  // What follows belongs to the reaper's thread.
  private int calmAttemptsLeft;
  private long nextSampleNanos;
  private long sampleIntervalNanos = FIRST_SAMPLE_NANOS;
  private long sampledPeakBytes;
  private boolean killedByKernel; // for lack of memory
  private String overrun = "";
  int exitCode;

  /** When it was started, in ticks since the machine was; of the last one that runs. */
  long startTicks = Long.MAX_VALUE;

  int signal;
  long cpuMicros;
  long maxRssBytes;
  long giveUpNanos;

  Child(Reaper reaper, int pid, int pidfd, ProcessSpec spec, Consumer<ProcessExit> onExit) {
    this.reaper = reaper;
    this.pid = pid;
    this.pidfd = pidfd;
    this.lease = spec.env().getOrDefault(ProcessSpec.MARK, "");
    this.onExit = onExit;
    this.limits = spec.limits();
    this.priority = spec.priority();
    this.watch = new TreeWatch(pid, limits);
    this.calmAttemptsLeft = spec.priority() == ProcessPriority.LOWEST ? CALM_ATTEMPTS : 0;
    this.nextSampleNanos = System.nanoTime() + FIRST_SAMPLE_NANOS;
  }

  @Override
  public long pid() {
    return pid;
  }

  @Override
  public long memoryBytes() {
    return watch.memoryBytes();
  }

  @Override
  public long cpuMillis() {
    return watch.cpuMillis();
  }

  @Override
  public long namelessBytes() {
    return watch.namelessBytes();
  }

  int number() {
    return pid;
  }

  int pidfd() {
    return pidfd;
  }

  /** Whether a process that is not in this one's session carries its mark. */
  boolean marked(int otherPid) {
    return !lease.isEmpty() && ProcFs.hasEnvironment(otherPid, ProcessSpec.MARK + "=" + lease);
  }

  @Override
  public void kill() {
    watch.lookAtCpu(); // what nobody waits for is counted nowhere once it is dead
    TaskGroup whole = group;
    if (whole != null) {
      whole.kill();
    }
    List<Integer> tree = reaper.tree(this); // once parents are dead nobody tells whose they are
    if (signalGroup(Libc.SIGKILL)) {
      tree.forEach(member -> reaper.signal(member, Libc.SIGKILL));
      reaper.killDescendants(this);
    }
  }

  @Override
  public void terminate(long graceMillis) {
    if (graceMillis <= 0) {
      kill();
    } else if (signalGroup(Libc.SIGTERM)) {
      freeze(false); // whoever is frozen cannot tidy up
      killAtNanos = System.nanoTime() + graceMillis * 1_000_000;
      killScheduled = true;
    }
  }

  @Override
  public synchronized boolean freeze(boolean on) {
    if (on == frozen) {
      return true;
    }
    gather();
    TaskGroup whole = group;
    if (whole != null) {
      frozen = on;
      return whole.freeze(on);
    }
    frozen = on;
    int number = on ? Libc.SIGSTOP : Libc.SIGCONT;
    if (!signalGroup(number)) {
      return false;
    }
    reaper.signalOthers(this, number);
    return true;
  }

  /**
   * Puts the tree into a group of its own, where there can be one; later calls do nothing. The
   * group is frozen meanwhile and freezes who comes in, so that nobody is born outside behind our
   * back.
   */
  synchronized void gather() {
    if (grouped || reaped) {
      return;
    }
    grouped = true;
    try {
      TaskGroup made = reaper.makeGroup(lease, limits, priority);
      if (made == null) {
        return;
      }
      watch.lookAtCpu();
      made.freeze(true);
      if (!made.add(pid)) {
        made.remove();
        return;
      }
      watch.follow(made);
      group = made;
      int rounds = 0;
      while (addMissing(made) && rounds < GATHERINGS) {
        rounds++;
      }
      made.freeze(frozen);
    } catch (IOException e) {
      LOG.debug("Process {} has no group of its own: {}", pid, e.getMessage());
    }
  }

  /** Whether there was somebody to add. */
  private boolean addMissing(TaskGroup made) {
    Set<Integer> inside = new HashSet<>(made.processes());
    boolean added = false;
    for (int member : reaper.tree(this)) {
      added |= !inside.contains(member) && made.add(member);
    }
    return added;
  }

  /** Ends what is still in its group; true when nobody is, and the group is gone. */
  boolean leaveGroup() {
    TaskGroup whole = group;
    if (whole == null) {
      return true;
    }
    watch.lookAtCpu();
    sampledPeakBytes = Math.max(sampledPeakBytes, whole.peakBytes());
    killedByKernel |= whole.ranOutOfMemory();
    if (whole.remove()) {
      group = null;
      return true;
    }
    whole.kill();
    return false;
  }

  /** False when there is nobody left to get the signal. */
  synchronized boolean signalGroup(int signalNumber) {
    if (reaped) {
      return false;
    }
    reaper.signal(-pid, signalNumber);
    return true;
  }

  /** The last signal that the group gets: whoever is still in it when its leader is gone. */
  synchronized void signalRestAndRelease() {
    reaper.signal(-pid, Libc.SIGKILL);
    reaped = true;
  }

  void tick(long nowNanos) {
    if (killScheduled && nowNanos - killAtNanos >= 0) {
      killScheduled = false;
      kill();
    }
    if (nowNanos - nextSampleNanos < 0) {
      return;
    }
    gather();
    if (calmAttemptsLeft > 0) {
      calmAttemptsLeft = SchedulerGroup.calm(pid) ? 0 : calmAttemptsLeft - 1;
    }
    String exceeded = watch.look();
    long peak = Math.max(watch.memoryBytes(), ProcFs.statusBytes(pid, "VmHWM"));
    sampledPeakBytes = Math.max(sampledPeakBytes, peak);
    if (!exceeded.isEmpty() && overrun.isEmpty()) {
      overrun = exceeded;
      kill();
    }
    boolean limited = limits.needWatching();
    sampleIntervalNanos =
        Math.min(
            2 * sampleIntervalNanos, limited ? LONGEST_LIMITED_SAMPLE_NANOS : LONGEST_SAMPLE_NANOS);
    nextSampleNanos = nowNanos + sampleIntervalNanos;
  }

  /** Which limit ended it, also when the kernel was first to see it. */
  private String overrun() {
    if (!overrun.isEmpty()) {
      return overrun;
    }
    if (killedByKernel && (limits.memoryBytes() > 0 || exitCode != 0)) {
      return limits.memoryBytes() > 0
          ? TreeWatch.overMemory(limits)
          : "Killed by the system because the machine was out of memory.";
    }
    int by = exitCode > 128 ? exitCode - 128 : 0;
    if (by == Libc.SIGXCPU && limits.cpuSeconds() > 0) {
      return TreeWatch.overCpu(limits.cpuSeconds());
    }
    return by == Libc.SIGXFSZ && limits.fileBytes() > 0
        ? TreeWatch.overFile(limits.fileBytes())
        : "";
  }

  private boolean isOutOfMemory() {
    boolean needed = limits.memoryBytes() == 0 || limits.memoryOf() == MemoryOf.NEEDS;
    return needed
        && !overrun().isEmpty()
        && (killedByKernel || overrun.equals(TreeWatch.overMemory(limits)));
  }

  void complete(long ownPeakBytes) {
    long peak = maxRssBytes > ownPeakBytes ? maxRssBytes : 0;
    long cpuMillis = Math.max(cpuMicros / 1000, watch.cpuMillis());
    onExit.accept(
        new ProcessExit(
            exitCode,
            signal,
            cpuMillis,
            Math.max(peak, sampledPeakBytes),
            overrun(),
            isOutOfMemory()));
  }
}
