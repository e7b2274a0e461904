package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.FolderSize;
import dev.imker.model.Lease;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.TaskUsage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** All leases of this agent whose end the server has not confirmed. */
public final class Holdings {
  private final Map<Lease, HeldLease> byLease = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  public Holdings() {
    this(System::nanoTime);
  }

  /**
   * @param clock in nanoseconds
   */
  public Holdings(LongSupplier clock) {
    this.clock = clock;
  }

  /** The time that leases go by. */
  public long nanoTime() {
    return clock.getAsLong();
  }

  /** False if the lease is here already. */
  public boolean add(HeldLease held) {
    held.waitFrom(nanoTime());
    return byLease.putIfAbsent(held.lease(), held) == null;
  }

  public @Nullable HeldLease find(dev.imker.wire.proto.Lease wire) {
    return byLease.get(WireLeases.of(wire));
  }

  public @Nullable HeldLease remove(Lease lease) {
    return byLease.remove(lease);
  }

  public Collection<HeldLease> all() {
    return byLease.values();
  }

  public int size() {
    return byLease.size();
  }

  public boolean isEmpty() {
    return byLease.isEmpty();
  }

  public List<dev.imker.wire.proto.Lease> wireLeases() {
    List<dev.imker.wire.proto.Lease> leases = new ArrayList<>(byLease.size());
    byLease.values().forEach(held -> leases.add(held.wire()));
    return leases;
  }

  /** How long runs were frozen so far, by the token of their lease; only those that ever were. */
  public Map<Long, Long> pausedMillis() {
    long nowNanos = nanoTime();
    Map<Long, Long> paused = new HashMap<>();
    for (HeldLease held : byLease.values()) {
      TaskRun run = held.run;
      long millis = run == null ? 0 : run.frozen.millis(nowNanos);
      if (millis > 0) {
        paused.put(held.token(), millis);
      }
    }
    return paused;
  }

  /** What runs with a process of their own use, by the token of their lease. */
  public Map<Long, TaskUsage> usage() {
    Map<Long, TaskUsage> usage = new HashMap<>();
    for (HeldLease held : byLease.values()) {
      TaskRun run = held.run;
      if (run == null || run.exited) {
        continue;
      }
      TaskProcess process = run.process;
      if (process != null && process.memoryBytes() > 0) {
        usage.put(
            held.token(),
            TaskUsage.newBuilder()
                .setCpuMillis(process.cpuMillis())
                .setMemoryBytes(process.memoryBytes())
                .setDiskBytes(run.diskBytes < FolderSize.HIDDEN ? run.diskBytes : 0)
                .build());
      }
    }
    return usage;
  }
}
