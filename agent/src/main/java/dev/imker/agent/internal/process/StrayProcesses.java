package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.ProcFs;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes that an earlier life of an agent left behind when it was killed. They are known by the
 * mark in their environment; whoever shares a session with a marked process goes with it. Where
 * there is no {@code /proc} nothing is found.
 */
public final class StrayProcesses {
  private static final Logger LOG = LoggerFactory.getLogger(StrayProcesses.class);
  private static final int ROUNDS = 10;

  private StrayProcesses() {}

  /** Kills processes that have an environment entry of this name whose value begins so. */
  public static void kill(String name, String valuePrefix) {
    String entry = name + "=" + valuePrefix;
    if (PosixSpawnExecutor.isSupported() && name.equals(ProcessSpec.MARK)) {
      PosixSpawnExecutor.shared().killLeftovers(valuePrefix);
    }
    for (int round = 0; round < ROUNDS; round++) {
      Set<Integer> found = find(entry);
      if (found.isEmpty()) {
        return;
      }
      LOG.info("Killing {} processes left by an earlier run of this agent", found.size());
      found.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
    }
  }

  private static Set<Integer> find(String entry) {
    int self = ProcFs.self();
    ProcFs.Stat own = ProcFs.stat(self);
    if (own == null) {
      return Set.of();
    }
    List<Integer> all = ProcFs.allProcesses();
    Set<Integer> found = new HashSet<>();
    Set<Integer> sessions = new HashSet<>();
    for (int pid : all) {
      if (pid != self && ProcFs.hasEnvironmentPrefix(pid, entry)) {
        ProcFs.Stat stat = ProcFs.stat(pid);
        found.add(pid);
        if (stat != null && stat.session() != own.session()) {
          sessions.add(stat.session());
        }
      }
    }
    for (int pid : sessions.isEmpty() ? List.<Integer>of() : all) {
      ProcFs.Stat stat = ProcFs.stat(pid);
      if (stat != null && stat.state() != 'Z' && sessions.contains(stat.session())) {
        found.add(pid);
      }
    }
    return found;
  }
}
