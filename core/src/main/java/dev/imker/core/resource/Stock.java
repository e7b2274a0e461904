package dev.imker.core.resource;

import dev.imker.core.message.AmountView;
import dev.imker.model.Granted;
import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a machine, or the pool as a whole, has of each kind, and how much of that is taken. What is
 * taken is counted apart from what there is, so that either may be learnt first: after a restart
 * the leases are known before the machines come back.
 */
public final class Stock {
  private final ResourceKinds names;
  private long[] has;
  private long[] taken;
  private @Nullable Items[] items;
  private @Nullable Demand kept;

  public Stock(ResourceKinds names) {
    this.names = names;
    int count = names.count();
    has = new long[count];
    taken = new long[count];
    items = new Items[count];
  }

  private Stock(Stock other) {
    names = other.names;
    has = other.has.clone();
    taken = other.taken.clone();
    items = other.items.clone();
    for (int i = 0; i < items.length; i++) {
      Items pieces = items[i];
      items[i] = pieces == null ? null : pieces.copy();
    }
  }

  public Stock copy() {
    return new Stock(this);
  }

  /** What there is from now on; memory and disk in bytes. */
  public void has(
      long coreHundredths, long memoryBytes, long diskBytes, Map<String, Resource> others) {
    Arrays.fill(has, 0);
    has[ResourceKinds.CORES] = coreHundredths;
    has[ResourceKinds.MEMORY] = memoryBytes;
    has[ResourceKinds.DISK] = diskBytes;
    for (Items pieces : items) {
      if (pieces != null) {
        pieces.has(List.of());
      }
    }
    others.forEach(
        (name, resource) -> {
          int kind = room(names.of(name));
          has[kind] = Requirements.hundredths(resource.amount());
          if (resource.items().isEmpty()) {
            items[kind] = null;
          } else {
            items(kind).has(resource.items());
          }
        });
  }

  private Items items(int kind) {
    Items all = items[kind];
    if (all == null) {
      all = new Items();
      items[kind] = all;
    }
    return all;
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

  /** Hundredths of cores that nobody has; negative if more are taken than there are. */
  public long coresFree() {
    return has[ResourceKinds.CORES] - taken[ResourceKinds.CORES];
  }

  /** What there is of memory, be it taken or not. */
  public long memoryBytes() {
    return has[ResourceKinds.MEMORY];
  }

  public void takeCore() {
    taken[ResourceKinds.CORES] += Requirements.HUNDREDTHS;
  }

  public void giveBackCore() {
    taken[ResourceKinds.CORES] -= Requirements.HUNDREDTHS;
  }

  /** Whether it has any amount of a kind, taken or not. */
  boolean knows(int kind) {
    return kind < has.length && has[kind] > 0;
  }

  /**
   * Whether the needs of a task can be met now.
   *
   * @param lentCores hundredths of cores that tasks which wait for others leave to it
   */
  public boolean fits(Demand demand, long lentCores) {
    if (demand.wholeMachine() && taken[ResourceKinds.CORES] > lentCores) {
      return false;
    }
    for (int i = 0; i < demand.size(); i++) {
      if (!fits(demand.kind(i), demand.amount(i), lentCores)) {
        return false;
      }
    }
    return true;
  }

  /** The same of what is not taken of the pool; all else has to fit there. */
  public boolean fits(Demand demand, long lentCores, Stock pool) {
    if (demand.wholeMachine() && taken[ResourceKinds.CORES] > lentCores) {
      return false;
    }
    for (int i = 0; i < demand.size(); i++) {
      int kind = demand.kind(i);
      boolean shared = pool.knows(kind);
      if (shared
          ? !pool.fits(kind, demand.amount(i) + pool.keptFrom(demand, kind), 0)
          : !fits(kind, demand.amount(i), lentCores)) {
        return false;
      }
    }
    return true;
  }

  /** Keeps an amount for tasks that ask for just that; null: nothing any more. */
  public void keep(@Nullable Demand demand) {
    kept = demand;
  }

  public boolean isKept() {
    return kept != null;
  }

  private long keptFrom(Demand demand, int kind) {
    Demand first = kept;
    return first == null || first.equals(demand) ? 0 : first.of(kind);
  }

  /** Whether so many tasks of a demand could have what is not taken of the pool. */
  public boolean fitsTimes(Demand demand, int count, Stock pool) {
    return copy().takeTimes(demand, count, pool);
  }

  /** Takes that, as far as it is there; returns whether all of it is. */
  public boolean takeTimes(Demand demand, int count, Stock pool) {
    for (int i = 0; i < count; i++) {
      if (!fitsOwn(demand, pool)) {
        return false;
      }
      Demand exact = demand.wholeMachine() ? demand.withCores(has[ResourceKinds.CORES]) : demand;
      take(exact.part(pool, false), new TreeMap<>(), new TreeMap<>());
    }
    return true;
  }

  /** Whether a task could have what is not taken of the pool. */
  public boolean fitsOwn(Demand demand, Stock pool) {
    return fits(demand.part(pool, false), 0);
  }

  private boolean fits(int kind, long amount, long lentCores) {
    long lent = kind == ResourceKinds.CORES ? lentCores : 0;
    if (kind >= has.length || has[kind] - taken[kind] + lent < amount) {
      return false;
    }
    Items pieces = items[kind];
    return pieces == null || pieces.fits(amount);
  }

  /** Whether what is shared of a demand fits here. */
  public boolean fitsShared(Demand demand) {
    for (int i = 0; i < demand.size(); i++) {
      if (knows(demand.kind(i)) && !fits(demand.kind(i), demand.amount(i), 0)) {
        return false;
      }
    }
    return true;
  }

  /** How much there is of a name, be it taken or not; negative if it is not of here. */
  public double sharedAmount(String name) {
    int kind = names.of(name);
    return knows(kind) ? (double) has[kind] / Requirements.HUNDREDTHS : -1;
  }

  /**
   * Takes what a task asks for, which {@link #fits(Demand, long, Stock)}.
   *
   * @param pool of which it takes what is shared
   */
  public Grant take(Demand demand, int variant, Stock pool) {
    if (!demand.wholeMachine() && !demand.isShared(pool) && !hasItems(demand)) {
      for (int i = 0; i < demand.size(); i++) {
        taken[demand.kind(i)] += demand.amount(i);
      }
      return demand.granted(variant, names);
    }
    SortedMap<String, Long> amounts = new TreeMap<>();
    SortedMap<String, List<String>> picked = new TreeMap<>();
    Demand exact = demand.wholeMachine() ? demand.withCores(has[ResourceKinds.CORES]) : demand;
    Demand own = exact.part(pool, false);
    Demand shared = exact.part(pool, true);
    take(own, amounts, picked);
    pool.take(shared, amounts, picked);
    if (pool.kept != null && pool.kept.equals(demand)) {
      pool.kept = null;
    }
    return Grant.of(own, shared, new Granted(variant, amounts, picked));
  }

  private boolean hasItems(Demand demand) {
    for (int i = 0; i < demand.size(); i++) {
      if (items[demand.kind(i)] != null) {
        return true;
      }
    }
    return false;
  }

  private void take(
      Demand demand, SortedMap<String, Long> amounts, SortedMap<String, List<String>> picked) {
    for (int i = 0; i < demand.size(); i++) {
      int kind = demand.kind(i);
      taken[kind] += demand.amount(i);
      amounts.put(names.name(kind), demand.amount(i));
      Items pieces = items[kind];
      if (pieces != null) {
        picked.put(names.name(kind), pieces.take(demand.amount(i)));
      }
    }
  }

  /** What an attempt has had, as it is taken of here and of the pool. */
  public Grant grant(Granted granted, Stock pool) {
    Demand all = Demand.of(granted, names);
    return Grant.of(all.part(pool, false), all.part(pool, true), granted);
  }

  /** Whether an attempt could have again just what it had. */
  public boolean fitsAgain(Grant grant, Stock pool) {
    return fits(grant.own(), 0)
        && pool.fits(grant.shared(), 0)
        && areFree(grant.own(), grant.told())
        && pool.areFree(grant.shared(), grant.told());
  }

  private boolean areFree(Demand demand, Granted told) {
    for (int i = 0; i < demand.size(); i++) {
      Items pieces = items[demand.kind(i)];
      if (pieces != null
          && !pieces.areFree(told.items(names.name(demand.kind(i))), demand.amount(i))) {
        return false;
      }
    }
    return true;
  }

  /** Takes what an attempt has held since before a restart, whether or not there is enough. */
  public void restore(Grant grant, Stock pool) {
    change(grant.own(), grant.told(), 1);
    pool.change(grant.shared(), grant.told(), 1);
  }

  public void giveBack(Grant grant, Stock pool) {
    change(grant.own(), grant.told(), -1);
    pool.change(grant.shared(), grant.told(), -1);
  }

  /** Gives back what was taken of here alone. */
  public void giveBackOwn(Grant grant) {
    change(grant.own(), grant.told(), -1);
  }

  private void change(Demand demand, Granted told, int sign) {
    for (int i = 0; i < demand.size(); i++) {
      int kind = room(demand.kind(i));
      taken[kind] += sign * demand.amount(i);
      List<String> pieces = told.items(names.name(kind));
      Items all = sign > 0 && !pieces.isEmpty() ? items(kind) : items[kind];
      if (all != null) { // else its owner says meanwhile that it has none of their own
        all.add(pieces, sign * demand.amount(i));
      }
    }
  }

  /** How it stands, by name. */
  public SortedMap<String, AmountView> view() {
    SortedMap<String, AmountView> all = new TreeMap<>();
    for (int kind = 0; kind < has.length; kind++) {
      if (has[kind] > 0 || taken[kind] > 0) {
        Items pieces = items[kind];
        all.put(
            names.name(kind),
            new AmountView(has[kind], taken[kind], pieces == null ? List.of() : pieces.present()));
      }
    }
    return all;
  }

  /**
   * Whether it is taken exactly by these, and no piece more than once over.
   *
   * @param plainCores taken besides
   */
  public boolean isTakenBy(Iterable<Grant> grants, boolean shared, long plainCores) {
    long[] sum = new long[names.count()];
    sum[ResourceKinds.CORES] += plainCores * Requirements.HUNDREDTHS;
    for (Grant grant : grants) {
      Demand demand = shared ? grant.shared() : grant.own();
      for (int i = 0; i < demand.size(); i++) {
        sum[demand.kind(i)] += demand.amount(i);
      }
    }
    for (int kind = 0; kind < sum.length; kind++) {
      long here = kind < taken.length ? taken[kind] : 0;
      Items pieces = kind < items.length ? items[kind] : null;
      if (here != sum[kind] || (pieces != null && !pieces.isSound(sum[kind]))) {
        return false;
      }
    }
    return true;
  }
}
