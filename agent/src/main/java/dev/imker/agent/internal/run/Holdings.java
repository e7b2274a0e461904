package dev.imker.agent.internal.run;

import dev.imker.model.Lease;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All leases that this agent has and the server has not confirmed the end of. */
final class Holdings {
  private final Map<Lease, HeldLease> byLease = new ConcurrentHashMap<>();

  /** False if the lease is here already. */
  boolean add(HeldLease held) {
    return byLease.putIfAbsent(held.lease(), held) == null;
  }

  @Nullable HeldLease find(dev.imker.wire.proto.Lease wire) {
    return byLease.get(HeldLease.lease(wire));
  }

  @Nullable HeldLease remove(Lease lease) {
    return byLease.remove(lease);
  }

  Collection<HeldLease> all() {
    return byLease.values();
  }

  int size() {
    return byLease.size();
  }

  boolean isEmpty() {
    return byLease.isEmpty();
  }

  List<dev.imker.wire.proto.Lease> wireLeases() {
    List<dev.imker.wire.proto.Lease> leases = new ArrayList<>(byLease.size());
    byLease.values().forEach(held -> leases.add(held.wire()));
    return leases;
  }

  /** How long runs were frozen so far, by the token of their lease; only those that ever were. */
  Map<Long, Long> pausedMillis() {
    long nowNanos = System.nanoTime();
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
}
