package dev.imker.server.internal.rest.nodes;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.NodeId;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is recorded of a node's behaviour, under the names of the formulas of the strategies. Times
 * are minutes, the raw benchmark milliseconds.
 *
 * @param benchmarkMillis raw benchmark; null while unknown, like its class
 * @param faults attempts that came to nothing by the fault of the node: lost, or failed here while
 *     the same task succeeded elsewhere
 * @param reliabilityPercent 0..100: attempts without such a fault
 * @param level 0..20, the place of R among the nodes that are up
 */
public record ProfileView(
    @JsonProperty("rB") @Nullable Double benchmarkMillis,
    @JsonProperty("B") @Nullable Double benchmarkClass,
    @JsonProperty("R") double reputation,
    @JsonProperty("nP") int level,
    @JsonProperty("avF") double failedMinutes,
    @JsonProperty("avS") double succeededMinutes,
    @JsonProperty("avU") double uptimeMinutes,
    @JsonProperty("acU") double currentUptimeMinutes,
    boolean up,
    boolean screenSaver,
    int working,
    int successes,
    int failures,
    int faults,
    double reliabilityPercent) {
  private static final int LEVELS = 20;

  static Map<NodeId, ProfileView> all(PoolProfile pool, long nowMillis) {
    Map<NodeId, ProfileView> views = new HashMap<>();
    for (int i = 0; i < pool.nodes(); i++) {
      views.put(pool.node(i).node(), of(pool, pool.node(i), nowMillis));
    }
    return views;
  }

  private static ProfileView of(PoolProfile pool, NodeProfile node, long nowMillis) {
    boolean measured = node.benchmarkMillis() > 0;
    return new ProfileView(
        measured ? node.benchmarkMillis() : null,
        measured ? node.benchmarkClass() : null,
        node.reputation(),
        level(node.reputation(), pool.minReputation(), pool.maxReputation()),
        node.failedMinutes(),
        node.succeededMinutes(),
        node.isUp() ? node.uptimeMinutes(nowMillis) : node.completedUptimeMinutes(),
        node.currentUptimeMinutes(nowMillis),
        node.isUp(),
        node.isScreenSaver(),
        node.working(),
        node.successes(),
        node.failures(),
        node.faults(),
        Math.round(1000 * node.reliability()) / 10.0);
  }

  /** nP = ⌊(R − min)/(max − min)·20 + 0.5⌋; 0 where all are equal. */
  private static int level(double reputation, double min, double max) {
    double share = max <= min ? 0 : Math.clamp((reputation - min) / (max - min), 0.0, 1.0);
    return (int) Math.floor(share * LEVELS + 0.5);
  }

  public String inWords() {
    return String.format(
        Locale.ROOT,
        "reliability %.1f %%, R %.2f (level %d of 0..20), %d attempts succeeded (%.2f"
            + " min), %d failed, %d of them by its own fault (%.2f min), up for %.1f min"
            + " (usually %.1f min), benchmark %s",
        reliabilityPercent,
        reputation,
        level,
        successes,
        succeededMinutes,
        failures,
        faults,
        failedMinutes,
        currentUptimeMinutes,
        uptimeMinutes,
        benchmarkMillis == null ? "unknown" : Math.round(benchmarkMillis) + " ms");
  }
}
