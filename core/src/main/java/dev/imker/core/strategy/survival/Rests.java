package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolTime;
import dev.imker.core.strategy.StrategyMemory;
import java.util.Arrays;
import java.util.Map;

/**
 * Nodes that would fail with nearly everything there is for them. Such a node tries something every
 * few hours, to find out whether it has become better, and rests in between: what it does is lost
 * nearly always, and holds a task that better nodes finish.
 */
final class Rests {
  /** A chance below this share of what good nodes have is not worth the minutes. */
  static final double POOR = 0.12;

  private static final long REST_MILLIS = 240 * PoolTime.MILLIS_PER_MINUTE;
  private static final String MEMORY = "rest";

  /** After that long without anybody else at work, whoever is there has to do. */
  private static final long ALONE_MILLIS = 15 * PoolTime.MILLIS_PER_MINUTE;

  private boolean[] poor = {};
  private long[] untilMillis = {};
  private long[] othersMillis = {};

  /** The best that the node could hope for, as a share of the chances of good nodes. */
  void judge(NodeProfile node, double bestChance) {
    reserve(node);
    poor[node.index()] = bestChance < POOR;
  }

  /**
   * Takes note of whether others are at work on any of what there is for a node; returns whether
   * none have been for a while.
   */
  boolean isAlone(NodeProfile node, boolean others, long nowMillis) {
    reserve(node);
    int i = node.index();
    if (others || othersMillis[i] == 0) {
      othersMillis[i] = nowMillis;
    }
    return nowMillis - othersMillis[i] >= ALONE_MILLIS;
  }

  /** Whether the node, as judged last, is to be left alone. */
  boolean rests(NodeProfile node, long nowMillis) {
    int i = node.index();
    return i < poor.length && poor[i] && nowMillis < untilMillis[i];
  }

  /** Returns whether the node is to rest after this attempt. */
  boolean onAssigned(NodeProfile node, long nowMillis) {
    int i = node.index();
    boolean tries = i < poor.length && poor[i];
    if (tries) {
      untilMillis[i] = nowMillis + REST_MILLIS;
    }
    return tries;
  }

  void rememberNode(NodeProfile node, Map<String, double[]> memory) {
    reserve(node);
    int i = node.index();
    memory.put(MEMORY, new double[] {poor[i] ? 1 : 0, untilMillis[i]});
  }

  void recallNode(NodeProfile node, StrategyMemory memory) {
    double[] kept = memory.values(MEMORY);
    if (kept.length == 2) {
      reserve(node);
      poor[node.index()] = kept[0] > 0;
      untilMillis[node.index()] = (long) kept[1];
    }
  }

  private void reserve(NodeProfile node) {
    if (poor.length <= node.index()) {
      int size = node.index() + 64 + node.index() / 2;
      poor = Arrays.copyOf(poor, size);
      untilMillis = Arrays.copyOf(untilMillis, size);
      othersMillis = Arrays.copyOf(othersMillis, size);
    }
  }
}
