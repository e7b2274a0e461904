package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.Libc;
import dev.imker.agent.internal.system.ProcFs;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.agent.internal.system.WaitSet;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A single thread that waits for the end of all processes.
 *
 * <p>Every process has a pidfd in one epoll set. When one is readable its process is a zombie:
 * first its group gets a SIGKILL (the zombie still owns the group's number, so this cannot hit a
 * stranger), then it is waited for by number, never "any child", because the Java process may have
 * children of its own that others wait for. This process is a subreaper: descendants of a task that
 * left the group become its children when their parents die, and {@link Orphans} finds them there.
 * Only when all of them are gone the end is reported.
 */
final class Reaper implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);
  private static final int MAX_EVENTS = 64;
  private static final int TICK_MILLIS = 100;
  private static final int LINGER_TICK_MILLIS = 3;
  private static final long LINGER_NANOS = 3_000_000_000L;

  /** What the counters of the kernel may be off by. */
  private static final long MEMORY_SLACK_BYTES = 8 << 20;

  private final Libc libc;
  private final Optional<ControlGroups> groups;
  private final WaitSet ends;
  private final Map<Integer, Child> running = new ConcurrentHashMap<>();
  private final List<Child> lingering = new ArrayList<>();
  private final Orphans orphans;
  private final MemorySegment status = Arena.global().allocate(ValueLayout.JAVA_INT);
  private final MemorySegment rusage = Arena.global().allocate(Libc.RUSAGE_BYTES, 8);
  private long ownPeakBytes;
  private long nextTickNanos;

  /** Whether the thread waits, or is about to, for as long as nothing is started. */
  private volatile boolean idle;

  /**
   * @param groups hold the processes of a task together; without them its session, its mark and its
   *     ancestry do
   */
  Reaper(Libc libc, Optional<ControlGroups> groups) {
    this.libc = libc;
    this.groups = groups;
    this.ends = new WaitSet(libc, MAX_EVENTS);
    this.orphans = new Orphans(running);
    if (!libc.becomeSubreaper()) {
      LOG.warn("Processes that leave their task's session may survive it on this system.");
    }
  }

  void begin() {
    Thread.ofPlatform().daemon().name("imker-reaper").start(this);
  }

  Child watch(int pid, ProcessSpec spec, Consumer<ProcessExit> onExit) {
    int pidfd = libc.pidfdOpen(pid);
    Child child = new Child(this, pid, pidfd, spec, onExit);
    running.put(pid, child);
    // Once only: a child that is just being started holds a copy of the descriptor for a moment,
    // and
    // would keep it reporting after we have closed ours.
    if (pidfd < 0 || !ends.addOnce(pidfd, pid)) {
      running.remove(pid);
      libc.kill(-pid, Libc.SIGKILL);
      throw new StartFailedException(
          "Out of file descriptors: raise the limit (ulimit -n) or lower the number of slots.",
          true);
    }
    if (idle) {
      ends.wakeUp();
    }
    if (spec.limits().needWatching()) {
      child.gather(); // others once they last: a group costs about as much as a short program
    }
    return child;
  }

  void signal(int target, int number) {
    libc.kill(target, number);
  }

  /** Sends a signal to those of a task who left its group. */
  void signalOthers(Child child, int number) {
    ProcFs.descendants(child.number()).forEach(pid -> libc.kill(pid, number));
    orphans.of(child).forEach(pid -> libc.kill(pid, number));
  }

  @Nullable TaskGroup makeGroup(String lease, ProcessLimits limits, ProcessPriority priority)
      throws IOException {
    return groups.isEmpty() ? null : groups.get().make(lease, limits, priority);
  }

  /** A task's processes as far as they can be found without a group. */
  List<Integer> tree(Child child) {
    List<Integer> tree = new ArrayList<>(List.of(child.number()));
    tree.addAll(ProcFs.descendants(child.number()));
    for (int orphan : orphans.of(child)) {
      tree.add(orphan);
      tree.addAll(ProcFs.descendants(orphan));
    }
    return tree;
  }

  void killDescendants(Child child) {
    for (int pid : ProcFs.descendants(child.number())) {
      libc.kill(pid, Libc.SIGKILL);
    }
    killOrphans(child);
  }

  @Override
  public void run() {
    while (true) {
      try {
        doWork();
      } catch (RuntimeException e) {
        LOG.error("Reaping a process failed; the reaper continues.", e);
      }
    }
  }

  private void doWork() {
    long[] ended = ends.await(timeoutMillis());
    idle = false;
    for (long pid : ended) {
      ended((int) pid);
    }
    if (!lingering.isEmpty()) {
      lookAfterLingering();
    }
    long nowNanos = System.nanoTime();
    if (nowNanos - nextTickNanos >= 0) {
      nextTickNanos = nowNanos + TICK_MILLIS * 1_000_000L;
      running.values().forEach(child -> child.tick(nowNanos));
      orphans.zombies(nowNanos).forEach(this::reapOrphan);
    }
  }

  /** What it used is its task's, if that can still be told. */
  private void reapOrphan(int pid) {
    ProcFs.Stat stat = ProcFs.stat(pid);
    if (libc.wait4(pid, status, Libc.WNOHANG, rusage) != pid || stat == null) {
      return;
    }
    Child owner = running.get(stat.session());
    for (Child ended : lingering) {
      owner = ended.number() == stat.session() ? ended : owner;
    }
    if (owner != null) {
      owner.cpuMicros += cpuMicros();
    }
  }

  private int timeoutMillis() {
    if (!lingering.isEmpty()) {
      return LINGER_TICK_MILLIS;
    }
    idle = true; // before the look: whoever starts something after it sees that we are to be woken
    if (running.isEmpty()) {
      return -1;
    }
    idle = false;
    return TICK_MILLIS;
  }

  private void ended(int pid) {
    Child child = running.remove(pid);
    if (child == null) {
      return;
    }
    child.signalRestAndRelease();
    ProcFs.Stat stat = running.isEmpty() ? ProcFs.stat(pid) : null;
    if (stat != null) {
      child.startTicks = stat.startTicks();
    }
    if (libc.wait4(pid, status, Libc.WNOHANG, rusage) == pid) {
      record(child);
    } else {
      // Somebody else waited for our child; all that is left to say is that it ended.
      child.exitCode = 255;
    }
    libc.close(child.pidfd());
    if (killOrphans(child) == 0 && child.leaveGroup()) {
      complete(child);
    } else {
      child.giveUpNanos = System.nanoTime() + LINGER_NANOS;
      lingering.add(child);
    }
  }

  private void record(Child child) {
    int word = status.get(ValueLayout.JAVA_INT, 0);
    child.signal = word & 0x7f;
    child.exitCode = child.signal == 0 ? (word >> 8) & 0xff : 128 + child.signal;
    child.cpuMicros += cpuMicros();
    child.maxRssBytes = rusage.get(ValueLayout.JAVA_LONG, 32) * 1024;
  }

  /** User and system time, the first two fields of the structure. */
  private long cpuMicros() {
    long seconds = rusage.get(ValueLayout.JAVA_LONG, 0) + rusage.get(ValueLayout.JAVA_LONG, 16);
    long micros = rusage.get(ValueLayout.JAVA_LONG, 8) + rusage.get(ValueLayout.JAVA_LONG, 24);
    return seconds * 1_000_000 + micros;
  }

  private int killOrphans(Child child) {
    List<Integer> left = orphans.of(child);
    left.forEach(pid -> libc.kill(pid, Libc.SIGKILL));
    return left.size();
  }

  private void lookAfterLingering() {
    for (Iterator<Child> each = lingering.iterator(); each.hasNext(); ) {
      Child child = each.next();
      for (int pid : orphans.of(child)) {
        if (libc.wait4(pid, status, Libc.WNOHANG, rusage) == pid) {
          child.cpuMicros += cpuMicros();
        }
      }
      boolean gone = killOrphans(child) == 0 && child.leaveGroup();
      if (gone || System.nanoTime() - child.giveUpNanos >= 0) {
        each.remove();
        complete(child);
      }
    }
  }

  /**
   * A child that was started without copying the parent counts the parent's memory as its own peak,
   * so only a figure above what this process ever had says something about the task.
   */
  private void complete(Child child) {
    if (child.maxRssBytes > ownPeakBytes) {
      ownPeakBytes = ProcFs.statusBytes(ProcFs.self(), "VmHWM") + MEMORY_SLACK_BYTES;
    }
    try {
      child.complete(ownPeakBytes);
    } catch (RuntimeException e) {
      LOG.error("Could not handle the exit of process {}.", child.number(), e);
    }
  }
}
