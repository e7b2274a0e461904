package dev.imker.core.strategy.survival;

import dev.imker.core.profile.PoolTime;
import dev.imker.core.strategy.StrategyMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * When in the day and week nodes go down, as a factor on their usual rate of outages. Half hours of
 * working days and of weekends are slots. The pool's factor of a slot compares its outages with
 * those that would be expected without a pattern, and is trusted more the more days it was seen on;
 * a node's own outages bend it towards its own habits (gamma-Poisson shrinkage).
 */
final class WeekPattern {
  private static final long MINUTE = PoolTime.MILLIS_PER_MINUTE;
  private static final double SLOT_MINUTES = 30;
  private static final int SLOTS_PER_DAY = 48;
  private static final int SLOTS = 2 * SLOTS_PER_DAY;
  private static final long DAY = 24 * 60 * MINUTE;
  private static final int WEEK_SLOTS = 7 * SLOTS_PER_DAY;
  private static final double WEEK_MINUTES = WEEK_SLOTS * SLOT_MINUTES;

  /** The first of January 1970 was a Thursday. */
  private static final long MONDAY = 4 * DAY;

  private static final double NODE_PRIOR = 1;
  private static final double POOL_PRIOR = 2;
  private static final double LEAST = 0.05;

  /** After so many days half of what was seen is believed (as a power of the ratio). */
  private static final double HALF_TRUST_DAYS = 0.5;

  private static final double MAX = 40;

  /** Outages and time seen, and what follows from them for one node. */
  private static final class Counts {
    final float[] outages = new float[SLOTS];
    final float[] minutes = new float[SLOTS];
    double allOutages;
    double allMinutes;
    int madeFor = -1;
    final float[] usualMinutesBefore = new float[WEEK_SLOTS + 1];

    void seen(int slot, double span) {
      madeFor = -1;
      minutes[slot] += (float) span;
      allMinutes += span;
    }

    void outage(int slot) {
      madeFor = -1;
      outages[slot]++;
      allOutages++;
    }

    /** Outages to be expected in the slot at the mean rate. */
    double expected(int slot) {
      return allMinutes <= 0 ? 0 : minutes[slot] * allOutages / allMinutes;
    }
  }

  private final Counts pool = new Counts();
  private final List<Counts> nodes = new ArrayList<>();
  private final long[] lastDay = new long[SLOTS];
  private final int[] days = new int[SLOTS];
  private final double[] poolFactor = new double[SLOTS];
  private boolean learnt;
  private int version;

  WeekPattern() {
    Arrays.fill(lastDay, -1);
    Arrays.fill(poolFactor, 1);
  }

  private static double minuteOfWeek(long millis) {
    return (double) Math.floorMod(millis - MONDAY, 7 * DAY) / MINUTE;
  }

  private static int slot(long millis) {
    return slotOfWeek((int) (minuteOfWeek(millis) / SLOT_MINUTES));
  }

  private static int slotOfWeek(int weekSlot) {
    boolean weekend = weekSlot >= 5 * SLOTS_PER_DAY;
    return (weekend ? SLOTS_PER_DAY : 0) + weekSlot % SLOTS_PER_DAY;
  }

  /** A node was up for the minutes before now. */
  void onUp(long nowMillis, int node, double minutes) {
    int slot = slot(nowMillis - 1);
    pool.seen(slot, minutes);
    counts(node).seen(slot, minutes);
    long day = Math.floorDiv(nowMillis - 1, DAY);
    if (lastDay[slot] != day) {
      lastDay[slot] = day;
      days[slot]++;
    }
  }

  void onOutage(long nowMillis, int node) {
    int slot = slot(nowMillis - 1);
    pool.outage(slot);
    counts(node).outage(slot);
  }

  void rememberNode(int node, Map<String, double[]> memory) {
    remember(counts(node), memory);
  }

  void rememberPool(Map<String, double[]> memory) {
    remember(pool, memory);
    memory.put("lastDay", Memories.of(lastDay));
    memory.put("days", Memories.of(days));
    memory.put("factor", poolFactor.clone());
    memory.put("learnt", new double[] {learnt ? 1 : 0});
  }

  private static void remember(Counts counts, Map<String, double[]> memory) {
    memory.put("outages", Memories.of(counts.outages));
    memory.put("minutes", Memories.of(counts.minutes));
    memory.put("seen", new double[] {counts.allOutages, counts.allMinutes});
  }

  void recallNode(int node, StrategyMemory memory) {
    recall(counts(node), memory);
  }

  void recallPool(StrategyMemory memory) {
    recall(pool, memory);
    Memories.into(memory.values("lastDay"), lastDay);
    Memories.into(memory.values("days"), days);
    Memories.into(memory.values("factor"), poolFactor);
    learnt = memory.value("learnt", 0) > 0;
    version++;
  }

  private static void recall(Counts counts, StrategyMemory memory) {
    Memories.into(memory.values("outages"), counts.outages);
    Memories.into(memory.values("minutes"), counts.minutes);
    double[] seen = memory.values("seen");
    if (seen.length == 2) {
      counts.allOutages = seen[0];
      counts.allMinutes = seen[1];
    }
  }

  /** Brings the pattern up to date. */
  void refresh(long nowMillis) {
    version++;
    long today = Math.floorDiv(nowMillis, DAY);
    for (int slot = 0; slot < SLOTS; slot++) {
      double seen = days[slot] - (lastDay[slot] == today ? 1 : 0);
      double trust = seen / (seen + HALF_TRUST_DAYS);
      if (trust > 0) {
        double ratio = (pool.outages[slot] + POOL_PRIOR) / (pool.expected(slot) + POOL_PRIOR);
        poolFactor[slot] = Math.clamp(Math.pow(ratio, trust), LEAST, MAX);
        learnt = true;
      }
    }
  }

  /** How many usual minutes the coming ones count for, as far as outages go. */
  double usualMinutes(long nowMillis, int node, double minutes) {
    if (!learnt) {
      return minutes;
    }
    float[] before = usualMinutesBefore(node);
    double from = minuteOfWeek(nowMillis);
    double weeks = Math.floor((from + minutes) / WEEK_MINUTES);
    double to = from + minutes - weeks * WEEK_MINUTES;
    return weeks * before[WEEK_SLOTS] + at(before, to) - at(before, from);
  }

  private static double at(float[] before, double minuteOfWeek) {
    double position = minuteOfWeek / SLOT_MINUTES;
    int slot = Math.min((int) position, WEEK_SLOTS - 1);
    return before[slot] + (position - slot) * (before[slot + 1] - before[slot]);
  }

  double factor(long millis, int node) {
    return learnt ? factor(slot(millis), counts(node)) : 1;
  }

  private float[] usualMinutesBefore(int node) {
    Counts own = counts(node);
    if (own.madeFor != version) {
      own.madeFor = version;
      double sum = 0;
      for (int weekSlot = 0; weekSlot < WEEK_SLOTS; weekSlot++) {
        sum += SLOT_MINUTES * factor(slotOfWeek(weekSlot), own);
        own.usualMinutesBefore[weekSlot + 1] = (float) sum;
      }
    }
    return own.usualMinutesBefore;
  }

  private double factor(int slot, Counts own) {
    double common = poolFactor[slot];
    double expected = own.expected(slot) * common;
    double bent = common * (own.outages[slot] + NODE_PRIOR) / (expected + NODE_PRIOR);
    return Math.clamp(bent, LEAST, MAX);
  }

  private Counts counts(int node) {
    while (nodes.size() <= node) {
      nodes.add(new Counts());
    }
    return nodes.get(node);
  }
}
