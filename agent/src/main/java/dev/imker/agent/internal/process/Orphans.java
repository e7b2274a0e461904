package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.OwnChildren;
import dev.imker.agent.internal.system.ProcFs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Descendants of tasks that outlived their parents and are now children of this process. The kernel
 * hands them to its first thread, so one small file lists them all.
 *
 * <p>Whose they are: same session as the task, or the task's mark in the environment they were
 * started with. One that shows neither is counted to whatever task ends when nothing else runs, if
 * it was started after that task: older ones are the Java process's own, or of nobody here.
 * Children in this process's own session are not ours: the Java process started them itself.
 */
final class Orphans {
  private static final long UNCLAIMED_NANOS = 10_000_000_000L;

  private final Map<Integer, Child> running;
  private final Map<Integer, Long> zombiesSince = new HashMap<>();
  private final OwnChildren ownChildren;
  private final int ownSession;

  Orphans(Map<Integer, Child> running) {
    this.running = running;
    int self = ProcFs.self();
    this.ownChildren = new OwnChildren(self);
    ProcFs.Stat stat = ProcFs.stat(self);
    this.ownSession = stat == null ? 0 : stat.session();
  }

  /** Orphans of one task, alive or waiting to be reaped. */
  List<Integer> of(Child child) {
    List<Integer> found = new ArrayList<>();
    for (int pid : ownChildren.list()) {
      ProcFs.Stat stat = stat(pid);
      if (stat != null && belongs(pid, stat, child)) {
        found.add(pid);
      }
    }
    return found;
  }

  /**
   * Orphans that ended and that nobody else will wait for. In our own session these may be children
   * that the Java process started and waits for itself, which takes it no time; so only what stays
   * there is counted.
   */
  List<Integer> zombies(long nowNanos) {
    List<Integer> children = ownChildren.list();
    zombiesSince.keySet().retainAll(children);
    List<Integer> found = new ArrayList<>();
    for (int pid : children) {
      ProcFs.Stat stat = running.containsKey(pid) ? null : ProcFs.stat(pid);
      if (stat == null || stat.state() != 'Z') {
        continue;
      }
      long since = zombiesSince.computeIfAbsent(pid, _ -> nowNanos);
      if (stat.session() != ownSession || nowNanos - since > UNCLAIMED_NANOS) {
        found.add(pid);
      }
    }
    return found;
  }

  private boolean belongs(int pid, ProcFs.Stat stat, Child child) {
    return stat.session() == child.number()
        || child.marked(pid)
        || (running.isEmpty() && stat.startTicks() >= child.startTicks);
  }

  private ProcFs.@Nullable Stat stat(int pid) {
    if (running.containsKey(pid)) {
      return null;
    }
    ProcFs.Stat stat = ProcFs.stat(pid);
    return stat == null || stat.session() == ownSession ? null : stat;
  }
}
