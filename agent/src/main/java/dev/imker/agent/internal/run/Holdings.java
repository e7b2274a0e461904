package dev.imker.agent.internal.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All leases that this agent has and the server has not confirmed the end of. */
final class Holdings {
  private final Map<Long, HeldLease> byToken = new ConcurrentHashMap<>();

  /** False if the lease is here already. */
  boolean add(HeldLease held) {
    return byToken.putIfAbsent(held.token(), held) == null;
  }

  @Nullable HeldLease find(long token) {
    return byToken.get(token);
  }

  @Nullable HeldLease remove(long token) {
    return byToken.remove(token);
  }

  Collection<HeldLease> all() {
    return byToken.values();
  }

  int size() {
    return byToken.size();
  }

  boolean isEmpty() {
    return byToken.isEmpty();
  }

  List<dev.imker.wire.proto.Lease> wireLeases() {
    List<dev.imker.wire.proto.Lease> leases = new ArrayList<>(byToken.size());
    byToken.values().forEach(held -> leases.add(held.wire()));
    return leases;
  }

  /** How long runs were frozen so far, by the token of their lease; only those that ever were. */
  Map<Long, Long> pausedMillis() {
    long nowNanos = System.nanoTime();
    Map<Long, Long> paused = new HashMap<>();
    for (HeldLease held : byToken.values()) {
      TaskRun run = held.run;
      long millis = run == null ? 0 : run.frozen.millis(nowNanos);
      if (millis > 0) {
        paused.put(held.token(), millis);
      }
    }
    return paused;
  }
}
