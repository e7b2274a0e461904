package dev.imker.core.resource;

import dev.imker.model.Granted;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one task needs: amounts by kind, in the order of the kinds' numbers. */
public final class Demand {
  public static final Demand NOTHING = new Demand(new int[0], new long[0], false);

  /** What a task without any needs takes. */
  public static final Demand ONE_CORE =
      new Demand(new int[] {ResourceKinds.CORES}, new long[] {Requirements.HUNDREDTHS}, false);

  private static final int CORES_OF_A_GPU = 8;

  private final int[] kinds;
  private final long[] amounts;
  private final boolean wholeMachine;
  private final boolean plain;

  /** What was given for it last, where it is the same for all. */
  private @Nullable Grant granted;

  private Demand(int[] kinds, long[] amounts, boolean wholeMachine) {
    this.kinds = kinds;
    this.amounts = amounts;
    this.wholeMachine = wholeMachine;
    this.plain =
        !wholeMachine
            && kinds.length == 1
            && kinds[0] == ResourceKinds.CORES
            && amounts[0] == Requirements.HUNDREDTHS;
  }

  public static Demand of(Need need, ResourceKinds names) {
    SortedMap<Integer, Long> all = new TreeMap<>();
    all.put(
        ResourceKinds.CORES,
        need.cores() > 0 ? Requirements.hundredths(need.cores()) : Requirements.HUNDREDTHS);
    all.put(ResourceKinds.MEMORY, need.memoryBytes());
    all.put(ResourceKinds.DISK, need.diskBytes());
    all.put(ResourceKinds.GPUS, Requirements.hundredths(need.gpus()));
    need.resources()
        .forEach((name, amount) -> all.put(names.of(name), Requirements.hundredths(amount)));
    return of(all, need.wholeMachine());
  }

  static Demand of(Granted granted, ResourceKinds names) {
    SortedMap<Integer, Long> all = new TreeMap<>();
    granted.amounts().forEach((name, amount) -> all.put(names.of(name), amount));
    return of(all, false);
  }

  private static Demand of(SortedMap<Integer, Long> amounts, boolean wholeMachine) {
    amounts.values().removeIf(amount -> amount == 0);
    int[] kinds = new int[amounts.size()];
    long[] values = new long[kinds.length];
    int next = 0;
    for (Map.Entry<Integer, Long> one : amounts.entrySet()) {
      kinds[next] = one.getKey();
      values[next++] = one.getValue();
    }
    return new Demand(kinds, values, wholeMachine);
  }

  /** What a task gets that asks for it, where it is counted and has no pieces of its own. */
  Grant granted(int variant, ResourceKinds names) {
    Grant known = granted;
    if (known == null || known.told().variant() != variant) {
      SortedMap<String, Long> told = new TreeMap<>();
      for (int i = 0; i < kinds.length; i++) {
        told.put(names.name(kinds[i]), amounts[i]);
      }
      known = Grant.of(this, NOTHING, new Granted(variant, told, new TreeMap<>()));
      granted = known;
    }
    return known;
  }

  /** Whether it is one core and nothing else. */
  public boolean isPlain() {
    return plain;
  }

  boolean wholeMachine() {
    return wholeMachine;
  }

  int size() {
    return kinds.length;
  }

  int kind(int position) {
    return kinds[position];
  }

  long amount(int position) {
    return amounts[position];
  }

  public boolean isNothing() {
    return kinds.length == 0;
  }

  /** How much of a kind; 0 if nothing. */
  long of(int kind) {
    int position = Arrays.binarySearch(kinds, kind);
    return position < 0 ? 0 : amounts[position];
  }

  public boolean hasGpus() {
    return of(ResourceKinds.GPUS) > 0;
  }

  /** Hundredths of cores. */
  public long cores() {
    return kinds.length > 0 && kinds[0] == ResourceKinds.CORES ? amounts[0] : 0;
  }

  /**
   * What it counts for among users and projects, in hundredths of cores: its cores, and {@value
   * #CORES_OF_A_GPU} for a GPU.
   */
  public long weight() {
    return cores() + CORES_OF_A_GPU * of(ResourceKinds.GPUS);
  }

  /** The same with another number of cores, for a machine that is taken as a whole. */
  Demand withCores(long hundredths) {
    SortedMap<Integer, Long> all = all();
    all.put(ResourceKinds.CORES, hundredths);
    return of(all, false);
  }

  /** The part that is taken of the pool, or that of a machine. */
  Demand part(Stock pool, boolean shared) {
    if (!isShared(pool)) {
      return shared ? NOTHING : this;
    }
    SortedMap<Integer, Long> all = all();
    all.keySet().removeIf(kind -> pool.knows(kind) != shared);
    return of(all, wholeMachine && !shared);
  }

  /** Whether any of it is taken of the pool. */
  public boolean isShared(Stock pool) {
    for (int kind : kinds) {
      if (pool.knows(kind)) {
        return true;
      }
    }
    return false;
  }

  private SortedMap<Integer, Long> all() {
    SortedMap<Integer, Long> all = new TreeMap<>();
    for (int i = 0; i < kinds.length; i++) {
      all.put(kinds[i], amounts[i]);
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Demand demand
        && wholeMachine == demand.wholeMachine
        && Arrays.equals(kinds, demand.kinds)
        && Arrays.equals(amounts, demand.amounts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(kinds) + Arrays.hashCode(amounts);
  }
}
