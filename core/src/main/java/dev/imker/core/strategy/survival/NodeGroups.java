package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import java.util.Arrays;

/**
 * Nodes that are up, put together where speed and prospects are alike, so that planning costs the
 * same for a hundred nodes and for a hundred thousand.
 */
final class NodeGroups {
  private static final int MAX = 48;
  private static final double[] PROSPECTS = {40, 150, 400, 1000};
  private static final int LEVELS = 5;

  private final int[] points = new int[PROSPECTS.length];
  private final int[] keys = new int[MAX];
  private final int[] sizes = new int[MAX];
  private final NodeProfile[] samples = new NodeProfile[MAX];
  private final float[][] weights = new float[MAX][Hazards.COUNT];
  private final float[] conditioned = new float[Hazards.COUNT];
  private final double[][] reached = new double[MAX][FluidRun.STAGES];
  private final Belief belief = new Belief();
  private int count;

  NodeGroups() {
    for (int i = 0; i < points.length; i++) {
      points[i] = (int) Math.round(UptimeGrid.position(PROSPECTS[i]));
    }
  }

  int count() {
    return count;
  }

  int size(int group) {
    return sizes[group];
  }

  /** Any node of the group. */
  NodeProfile sample(int group) {
    return samples[group];
  }

  /** Probability to reach each stage of the flow from a start. */
  double[] reached(int group) {
    return reached[group];
  }

  /** Mean weights of the group's nodes, given what they have lived through. */
  float[] weights(int group) {
    return weights[group];
  }

  void form(PoolProfile pool, Prospects prospects, long nowMillis) {
    count = 0;
    for (int i = 0; i < pool.nodes(); i++) {
      NodeProfile node = pool.node(i);
      if (node.isUp()) {
        Arrays.fill(conditioned, 0);
        prospects.beliefs().get(i).addTo(conditioned, prospects.uptime(nowMillis, node), 1);
        add(node);
      }
    }
    for (int g = 0; g < count; g++) {
      for (int h = 0; h < Hazards.COUNT; h++) {
        weights[g][h] /= sizes[g];
      }
      belief.set(weights[g]);
      for (int s = 0; s < FluidRun.STAGES; s++) {
        reached[g][s] = belief.survival(0, FluidRun.uptimeMinutes(s));
      }
    }
  }

  private void add(NodeProfile node) {
    int group = groupOf(key(node));
    if (group == count) {
      count++;
      keys[group] = key(node);
      sizes[group] = 0;
      Arrays.fill(weights[group], 0);
      samples[group] = node;
    }
    sizes[group]++;
    for (int h = 0; h < Hazards.COUNT; h++) {
      weights[group][h] += conditioned[h];
    }
  }

  /** The group of that key, a new one, or where there is no room the one with the nearest key. */
  private int groupOf(int key) {
    int nearest = 0;
    for (int g = 0; g < count; g++) {
      if (keys[g] == key) {
        return g;
      }
      if (Math.abs(keys[g] - key) < Math.abs(keys[nearest] - key)) {
        nearest = g;
      }
    }
    return count < MAX ? count : nearest;
  }

  private int key(NodeProfile node) {
    int key = ObservedRunTimes.speedClass(node);
    for (int point : points) {
      double reach = 0;
      for (int h = 0; h < Hazards.COUNT; h++) {
        reach += conditioned[h] * Hazards.survival(h)[point];
      }
      key = key * LEVELS + (int) Math.min(LEVELS - 1.0, reach * LEVELS);
    }
    return key;
  }
}
