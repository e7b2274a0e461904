package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.strategy.Choice;

/**
 * Judges by what is left of a usual up-time; beyond it, by how far the node has outlived it. Fast
 * nodes are wished longer tasks.
 */
final class UptimeImproved extends WishedRunLength {
  @Override
  public String name() {
    return "uptime-improved";
  }

  @Override
  double wishedMinutes(Choice choice) {
    NodeProfile node = choice.node();
    double usual = Math.floor(node.completedUptimeMinutes());
    double current = Math.floor(node.currentUptimeMinutes(choice.nowMillis()));
    double wish = current < usual ? usual - current : (node.reputation() + 1) * (current - usual);
    double benchmark = node.benchmarkMillis();
    return benchmark > 0 ? wish * choice.pool().meanBenchmarkMillis() / benchmark : wish;
  }
}
