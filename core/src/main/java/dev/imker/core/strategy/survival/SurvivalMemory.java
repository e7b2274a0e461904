package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.StrategyMemory;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Knows what of survival's learning is new since it was last written down, and brings it back. */
final class SurvivalMemory {
  private static final String POOL = "pool";
  private static final String NODE = "node ";
  private static final String PROJECT = "project ";

  private final Prospects prospects;
  private final ObservedRunTimes runTimes;
  private final ValuePlan plan;
  private final Rests rests;
  private final BitSet nodes = new BitSet();
  private final BitSet projects = new BitSet();
  private boolean poolChanged;

  SurvivalMemory(Prospects prospects, ObservedRunTimes runTimes, ValuePlan plan, Rests rests) {
    this.prospects = prospects;
    this.runTimes = runTimes;
    this.plan = plan;
    this.rests = rests;
  }

  void changed(NodeProfile node) {
    nodes.set(node.index());
  }

  void changed(ProjectProfile project) {
    projects.set(project.index());
    poolChanged = true;
  }

  /** After a plan all is different. */
  void changed(PoolProfile pool) {
    poolChanged = true;
    nodes.set(0, pool.nodes());
    projects.set(0, pool.projects());
  }

  /** Returns whether there is more. */
  boolean write(
      PoolProfile pool, int most, Map<String, double[]> clocks, Consumer<StrategyMemory> sink) {
    if (poolChanged) {
      poolChanged = false;
      Map<String, double[]> memory = new LinkedHashMap<>(clocks);
      prospects.rememberPool(memory);
      runTimes.rememberPool(memory);
      sink.accept(new StrategyMemory(POOL, memory));
    }
    int left = most;
    for (int k = projects.nextSetBit(0); k >= 0 && left > 0; k = projects.nextSetBit(k + 1)) {
      projects.clear(k);
      left--;
      ProjectProfile project = pool.project(k);
      Map<String, double[]> memory = new LinkedHashMap<>();
      runTimes.rememberProject(project, memory);
      plan.rememberProject(project, memory);
      sink.accept(
          new StrategyMemory(
              PROJECT + project.project().user() + "/" + project.project().name(), memory));
    }
    for (int i = nodes.nextSetBit(0); i >= 0 && left > 0; i = nodes.nextSetBit(i + 1)) {
      nodes.clear(i);
      left--;
      Map<String, double[]> memory = new LinkedHashMap<>();
      prospects.rememberNode(pool.node(i), memory);
      rests.rememberNode(pool.node(i), memory);
      sink.accept(new StrategyMemory(NODE + pool.node(i).node().value(), memory));
    }
    return !nodes.isEmpty() || !projects.isEmpty();
  }

  /** Returns whether it was the memory of the whole pool. */
  boolean recall(PoolProfile pool, StrategyMemory memory) {
    String subject = memory.subject();
    if (subject.startsWith(NODE)) {
      NodeProfile node = pool.node(new NodeId(subject.substring(NODE.length())));
      prospects.recallNode(node, memory);
      rests.recallNode(node, memory);
    } else if (subject.startsWith(PROJECT) && subject.indexOf('/') > 0) {
      int slash = subject.indexOf('/');
      String user = subject.substring(PROJECT.length(), slash);
      ProjectProfile project = pool.project(new ProjectId(user, subject.substring(slash + 1)));
      runTimes.recallProject(project, memory);
      plan.recallProject(project, memory);
    } else if (subject.equals(POOL)) {
      prospects.recallPool(memory);
      runTimes.recallPool(memory);
      return true;
    }
    return false;
  }
}
