package dev.imker.core.resource;

import dev.imker.model.Granted;
import dev.imker.model.Platform.Resource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a machine, or the pool as a whole, has of each kind, and how much of that is taken. What is
 * taken is counted apart from what there is, so that either may be learnt first: after a restart
 * the leases are known before the machines come back.
 */
public final class Stock {
  private final ResourceKinds names;
  private long[] has = new long[4];
  private long[] taken = new long[4];
  private @Nullable Items[] items = new Items[4];

  public Stock(ResourceKinds names) {
    this.names = names;
  }

  /** What there is from now on. */
  public void has(
      long coreHundredths,
      long memoryBytes,
      long diskBytes,
      int gpus,
      Map<String, Resource> others) {
    Arrays.fill(has, 0);
    has[ResourceKinds.CORES] = coreHundredths;
    has[ResourceKinds.MEMORY] = memoryBytes;
    has[ResourceKinds.DISK] = diskBytes;
    pieces(ResourceKinds.GPUS, IntStream.range(0, gpus).mapToObj(Integer::toString).toList());
    declare(others);
  }

  /** The same of what is declared by name alone. */
  public void declare(Map<String, Resource> others) {
    for (int kind = ResourceKinds.GPUS + 1; kind < has.length; kind++) {
      has[kind] = 0;
    }
    others.forEach(
        (name, resource) -> {
          int kind = room(names.of(name));
          if (resource.items().isEmpty()) {
            has[kind] = dev.imker.model.job.Requirements.hundredths(resource.amount());
          } else {
            pieces(kind, resource.items());
          }
        });
  }

  private void pieces(int kind, List<String> pieces) {
    Items all = items[kind];
    if (all == null) {
      all = new Items();
      items[kind] = all;
    }
    all.has(pieces);
    has[kind] = (long) pieces.size() * dev.imker.model.job.Requirements.HUNDREDTHS;
  }

  /** Makes room for a kind; returns it. */
  private int room(int kind) {
    if (kind >= has.length) {
      int length = Math.max(kind + 1, names.count());
      has = Arrays.copyOf(has, length);
      taken = Arrays.copyOf(taken, length);
      items = Arrays.copyOf(items, length);
    }
    return kind;
  }

  public long coresFree() {
    return has[ResourceKinds.CORES] - taken[ResourceKinds.CORES];
  }

  public long cores() {
    return has[ResourceKinds.CORES];
  }

  /** Whether it has anything of a kind, taken or not. */
  boolean knows(int kind) {
    return kind < has.length && has[kind] > 0;
  }

  /**
   * Whether a task could have what it asks for now.
   *
   * @param lentCores hundredths of cores that tasks which wait for others leave to it
   */
  public boolean fits(Demand demand, long lentCores) {
    if (demand.wholeMachine() && taken[ResourceKinds.CORES] > lentCores) {
      return false;
    }
    for (int i = 0; i < demand.size(); i++) {
      int kind = demand.kind(i);
      long amount = demand.amount(i);
      long lent = kind == ResourceKinds.CORES ? lentCores : 0;
      if (kind >= has.length || has[kind] - taken[kind] + lent < amount) {
        return false;
      }
      Items pieces = items[kind];
      if (pieces != null && pieces.room(amount) < 1) {
        return false;
      }
    }
    return true;
  }

  /** Whether a task could have what it asks for if nobody else had anything. */
  public boolean couldFit(Demand demand) {
    for (int i = 0; i < demand.size(); i++) {
      int kind = demand.kind(i);
      if (kind >= has.length || has[kind] < demand.amount(i)) {
        return false;
      }
    }
    return true;
  }

  /** How many tasks with the same demand could start now. */
  public long room(Demand demand) {
    if (demand.wholeMachine()) {
      return fits(demand, 0) ? 1 : 0;
    }
    long room = Long.MAX_VALUE;
    for (int i = 0; i < demand.size(); i++) {
      int kind = demand.kind(i);
      if (kind >= has.length) {
        return 0;
      }
      Items pieces = items[kind];
      long here =
          pieces == null
              ? Math.max(0, has[kind] - taken[kind]) / demand.amount(i)
              : pieces.room(demand.amount(i));
      room = Math.min(room, here);
    }
    return room;
  }

  /** Takes what a task asks for. */
  public Grant take(Demand demand, int variant) {
    if (demand.isPlain() && variant == 0) {
      taken[ResourceKinds.CORES] += demand.amount(0);
      return Grant.ONE_CORE;
    }
    Demand exact = demand.wholeMachine() ? demand.withCores(has[ResourceKinds.CORES]) : demand;
    SortedMap<String, Long> amounts = new TreeMap<>();
    SortedMap<String, List<String>> picked = new TreeMap<>();
    for (int i = 0; i < exact.size(); i++) {
      int kind = room(exact.kind(i));
      taken[kind] += exact.amount(i);
      amounts.put(names.name(kind), exact.amount(i));
      Items pieces = items[kind];
      if (pieces != null) {
        picked.put(names.name(kind), pieces.take(exact.amount(i)));
      }
    }
    return new Grant(exact, new Granted(variant, amounts, picked));
  }

  /** Takes what an attempt has had since before a restart. */
  public Grant restore(Granted granted) {
    if (granted.equals(Granted.ONE_CORE)) {
      return take(Demand.ONE_CORE, 0);
    }
    SortedMap<Integer, Long> amounts = new TreeMap<>();
    granted.amounts().forEach((name, amount) -> amounts.put(names.of(name), amount));
    Grant grant = new Grant(Demand.of(amounts, false), granted);
    change(grant, 1);
    return grant;
  }

  public void giveBack(Grant grant) {
    change(grant, -1);
  }

  private void change(Grant grant, int sign) {
    Demand demand = grant.demand();
    for (int i = 0; i < demand.size(); i++) {
      int kind = room(demand.kind(i));
      taken[kind] += sign * demand.amount(i);
      List<String> pieces = grant.told().items().getOrDefault(names.name(kind), List.of());
      if (!pieces.isEmpty()) {
        Items all = items[kind];
        if (all == null) {
          all = new Items();
          items[kind] = all;
        }
        all.add(pieces, sign * demand.amount(i));
      }
    }
  }
}
