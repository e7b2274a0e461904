package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.EpochBegun;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.PoolWrites.Write;
import dev.imker.chaos.check.Violation.Promise;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Only the server that began the newest epoch has written. */
final class Leaders {
  private final TreeMap<Long, EpochBegun> byOrder = new TreeMap<>();
  private final Map<String, Violation> violations = new LinkedHashMap<>();

  private Leaders() {}

  static List<Violation> check(PoolWrites writes) {
    Leaders leaders = new Leaders();
    leaders.epochs(writes.epochs());
    for (Write write : writes.writes()) {
      leaders.write(write.order(), write.server(), "table " + write.table());
    }
    for (TaskWrite write : writes.tasks()) {
      leaders.write(write.order(), write.server(), "task " + write.task());
      leaders.lease(write);
    }
    return new ArrayList<>(leaders.violations.values());
  }

  private void epochs(List<EpochBegun> epochs) {
    long last = 0;
    for (EpochBegun begun : epochs) {
      if (begun.epoch() <= last) {
        add(
            Promise.ONE_LEADER_AN_EPOCH,
            begun.server(),
            "%s began epoch %d after epoch %d".formatted(begun.server(), begun.epoch(), last));
      }
      last = begun.epoch();
      byOrder.put(begun.order(), begun);
    }
  }

  private void write(long order, String server, String what) {
    Map.Entry<Long, EpochBegun> leader = byOrder.floorEntry(order);
    if (leader == null) {
      return; // written before anybody looked
    }
    EpochBegun begun = leader.getValue();
    if (!begun.server().equals(server)) {
      add(
          Promise.DEPOSED_LEADERS_WRITE_NOTHING,
          server,
          "%s wrote %s after %s had begun epoch %d"
              .formatted(server, what, begun.server(), begun.epoch()));
    }
  }

  /** A lease bears the epoch of whoever gave it. */
  private void lease(TaskWrite write) {
    Map.Entry<Long, EpochBegun> leader = byOrder.floorEntry(write.order());
    if (leader != null && write.token().epoch() > leader.getValue().epoch()) {
      add(
          Promise.ONE_LEADER_AN_EPOCH,
          write.server(),
          "%s wrote a lease of epoch %d in epoch %d"
              .formatted(write.server(), write.token().epoch(), leader.getValue().epoch()));
    }
  }

  /** One of each kind and server: the first tells all. */
  private void add(Promise promise, String server, String what) {
    violations.putIfAbsent(promise + server, new Violation(promise, what));
  }
}
