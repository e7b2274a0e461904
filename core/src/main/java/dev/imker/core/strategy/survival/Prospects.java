package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.PoolTime;
import dev.imker.core.strategy.StrategyMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The expected lifetimes of nodes. Time runs in usual minutes: a minute at a dangerous hour of the
 * week counts for several, one at a safe hour for part of one (see {@link WeekPattern}); in that
 * time every node has a {@link Belief}. A node that is new is believed to be like the rest of the
 * pool.
 */
final class Prospects {
  private static final float PRIOR_SHARE = 0.2f;

  private final List<Belief> beliefs = new ArrayList<>();
  private final float[] general = new float[Hazards.COUNT];
  private final WeekPattern pattern = new WeekPattern();
  // Usual minutes of the present up-time beyond those of the profile's clock, and until when.
  private double[] extraMinutes = {};
  private long[] markedMillis = {};

  Prospects() {
    for (int h = 0; h < Hazards.COUNT; h++) {
      general[h] = Hazards.prior(h);
    }
  }

  List<Belief> beliefs() {
    return beliefs;
  }

  /** Learns what is recorded of a node from before. */
  void recall(NodeProfile node) {
    reserve(node);
    for (double minutes : node.recentUptimesMinutes()) {
      beliefs.get(node.index()).onOutage(minutes, general);
    }
  }

  void onUp(long nowMillis, NodeProfile node) {
    reserve(node);
    boolean goesOn = node.upSinceMillis() < nowMillis && markedMillis[node.index()] > 0;
    if (!goesOn) {
      extraMinutes[node.index()] = 0;
      markedMillis[node.index()] = nowMillis;
    }
  }

  void onDown(long nowMillis, NodeProfile node, double uptimeMinutes) {
    reserve(node);
    mark(nowMillis, node.index());
    double usual = Math.max(0, uptimeMinutes + extraMinutes[node.index()]);
    beliefs.get(node.index()).onOutage(usual, general);
    pattern.onOutage(nowMillis, node.index());
  }

  void rememberNode(NodeProfile node, Map<String, double[]> memory) {
    reserve(node);
    int i = node.index();
    memory.put("belief", beliefs.get(i).memory());
    memory.put("usual", new double[] {extraMinutes[i], markedMillis[i]});
    pattern.rememberNode(i, memory);
  }

  void recallNode(NodeProfile node, StrategyMemory memory) {
    reserve(node);
    int i = node.index();
    beliefs.get(i).recall(memory.values("belief"));
    double[] usual = memory.values("usual");
    if (usual.length == 2) {
      extraMinutes[i] = usual[0];
      markedMillis[i] = (long) usual[1];
    }
    pattern.recallNode(i, memory);
  }

  void rememberPool(Map<String, double[]> memory) {
    memory.put("general", Memories.of(general));
    pattern.rememberPool(memory);
  }

  void recallPool(StrategyMemory memory) {
    Memories.into(memory.values("general"), general);
    pattern.recallPool(memory);
  }

  double survival(long nowMillis, NodeProfile node, double minutes) {
    double usual = pattern.usualMinutes(nowMillis, node.index(), minutes);
    return beliefs.get(node.index()).survival(uptime(nowMillis, node), usual);
  }

  /** Probability that the node lives that many usual minutes from its next start on. */
  double afterStart(NodeProfile node, double minutes) {
    return beliefs.get(node.index()).survival(0, minutes);
  }

  /** Expected minutes until an outage, at most the given ones. */
  double expectedMinutes(long nowMillis, NodeProfile node, double minutes) {
    double usual = pattern.usualMinutes(nowMillis, node.index(), minutes);
    double expected = beliefs.get(node.index()).expectedMinutes(uptime(nowMillis, node), usual);
    return usual <= 0 ? minutes : expected * minutes / usual;
  }

  /** Usual minutes that the node has been up. */
  double uptime(long nowMillis, NodeProfile node) {
    int i = node.index();
    double since = PoolTime.minutes(nowMillis - markedMillis[i]);
    double extra = extraMinutes[i] + (pattern.factor(nowMillis, i) - 1) * since;
    return Math.max(0, node.currentUptimeMinutes(nowMillis) + extra);
  }

  /** To be called every few minutes: takes note of who is up, and what is believed in general. */
  void refresh(long nowMillis, PoolProfile pool) {
    Arrays.fill(general, 0);
    float share = (1 - PRIOR_SHARE) / Math.max(1, pool.nodesUp());
    for (int i = 0; i < pool.nodes(); i++) {
      NodeProfile node = pool.node(i);
      reserve(node);
      if (node.isUp()) {
        mark(nowMillis, i);
        beliefs.get(i).addTo(general, uptime(nowMillis, node), share);
      }
    }
    for (int h = 0; h < Hazards.COUNT; h++) {
      general[h] += PRIOR_SHARE * Hazards.prior(h);
    }
    pattern.refresh(nowMillis);
  }

  private void mark(long nowMillis, int node) {
    double since = PoolTime.minutes(nowMillis - markedMillis[node]);
    if (since > 0) {
      extraMinutes[node] += (pattern.factor(nowMillis, node) - 1) * since;
      pattern.onUp(nowMillis, node, since);
      markedMillis[node] = nowMillis;
    }
  }

  void reserve(NodeProfile node) {
    while (beliefs.size() <= node.index()) {
      Belief belief = new Belief();
      belief.set(general);
      beliefs.add(belief);
    }
    if (extraMinutes.length <= node.index()) {
      int size = node.index() + 64 + node.index() / 2;
      extraMinutes = Arrays.copyOf(extraMinutes, size);
      markedMillis = Arrays.copyOf(markedMillis, size);
    }
  }
}
