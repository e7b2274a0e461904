package dev.imker.core.resource;

import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** What one task asks for: amounts by kind, in the order of the kinds' numbers. */
public final class Demand {
  /** What a task takes that asks for nothing. */
  public static final Demand ONE_CORE =
      new Demand(new int[] {ResourceKinds.CORES}, new long[] {Requirements.HUNDREDTHS}, false);

  private final int[] kinds;
  private final long[] amounts;
  private final boolean wholeMachine;
  private final boolean plain;

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
    Map<Integer, Long> all = new TreeMap<>();
    all.put(
        ResourceKinds.CORES,
        need.cores() > 0 ? Requirements.hundredths(need.cores()) : Requirements.HUNDREDTHS);
    all.put(ResourceKinds.MEMORY, need.memoryBytes());
    all.put(ResourceKinds.DISK, need.diskBytes());
    all.put(ResourceKinds.GPUS, Requirements.hundredths(need.gpus()));
    need.resources()
        .forEach((name, amount) -> all.put(names.of(name), Requirements.hundredths(amount)));
    all.values().removeIf(amount -> amount == 0);
    return of(all, need.wholeMachine());
  }

  static Demand of(Map<Integer, Long> amounts, boolean wholeMachine) {
    int[] kinds = new int[amounts.size()];
    long[] values = new long[amounts.size()];
    int next = 0;
    for (Map.Entry<Integer, Long> one : new TreeMap<>(amounts).entrySet()) {
      kinds[next] = one.getKey();
      values[next++] = one.getValue();
    }
    return new Demand(kinds, values, wholeMachine);
  }

  /** Whether it is one core and nothing else. */
  public boolean isPlain() {
    return plain;
  }

  public boolean wholeMachine() {
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

  /** How much of a kind; 0 if nothing. */
  long of(int kind) {
    int position = Arrays.binarySearch(kinds, kind);
    return position < 0 ? 0 : amounts[position];
  }

  /** The same with another number of cores, for a machine that is taken as a whole. */
  Demand withCores(long hundredths) {
    Map<Integer, Long> all = new TreeMap<>();
    for (int i = 0; i < kinds.length; i++) {
      all.put(kinds[i], amounts[i]);
    }
    all.put(ResourceKinds.CORES, hundredths);
    return of(all, true);
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
