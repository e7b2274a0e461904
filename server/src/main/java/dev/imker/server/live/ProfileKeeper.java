package dev.imker.server.live;

import dev.imker.core.Scheduler;
import dev.imker.core.message.Outbox;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.NodeSnapshot;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProfileSnapshot;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.profile.ProjectSnapshot;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.Availability;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.StrategyRemembered;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Keeps on disk what is known of nodes and projects, what the strategy has learnt, and when nodes
 * came and went: what changed, every few seconds, with the other changes of a turn. A crash costs
 * the last seconds of statistics and nothing else.
 */
public final class ProfileKeeper implements ProfileListener {
  private static final long WRITE_MILLIS = 3_000;

  /** Memories are large: a turn writes a few, the next turns the rest. */
  private static final int MEMORIES_PER_WRITE = 256;

  /** How long nodes that were up have to come back after a restart of the server. */
  private static final long PATIENCE_MILLIS = 5 * 60_000L;

  private final Scheduler scheduler;
  private final PoolProfile profiles;
  private final BitSet changedNodes = new BitSet();
  private final BitSet changedProjects = new BitSet();
  private final List<NodeAvailable> comings = new ArrayList<>();
  private final List<NodeProfile> awaited = new ArrayList<>();
  private long nextMillis;
  private long restoredMillis;

  public ProfileKeeper(Scheduler scheduler) {
    this.scheduler = scheduler;
    profiles = scheduler.profiles();
    profiles.addListener(this);
  }

  /** Brings back what was kept of a node; before the first node comes up. */
  public void restoreNode(NodeId node, String json) {
    ProfileJson.node(node, json)
        .ifPresent(kept -> profiles.restore(new ProfileSnapshot(List.of(kept), List.of())));
    if (profiles.node(node).isAwaited()) {
      awaited.add(profiles.node(node));
    }
  }

  public void restoreProject(ProjectId project, String json) {
    ProfileJson.project(project, json)
        .ifPresent(kept -> profiles.restore(new ProfileSnapshot(List.of(), List.of(kept))));
  }

  /** Brings back what the present strategy had learnt; that of others is left alone. */
  public void restoreMemory(String strategy, String subject, String json) {
    Strategy present = scheduler.strategy();
    if (present.name().equals(strategy)) {
      ProfileJson.memory(subject, json).ifPresent(memory -> present.recall(profiles, memory));
    }
  }

  public void writeDue(long nowMillis, Outbox out) {
    if (restoredMillis == 0) {
      restoredMillis = nowMillis;
    }
    if (nowMillis >= nextMillis) {
      nextMillis = nowMillis + WRITE_MILLIS;
      if (!awaited.isEmpty() && nowMillis > restoredMillis + PATIENCE_MILLIS) {
        giveUpAwaited();
      }
      write(MEMORIES_PER_WRITE, out);
    }
  }

  /** Writes all that changed since the last time. */
  public void write(Outbox out) {
    write(Integer.MAX_VALUE, out);
  }

  private void write(int mostMemories, Outbox out) {
    comings.forEach(out::change);
    comings.clear();
    Strategy strategy = scheduler.strategy();
    strategy.remember(
        mostMemories,
        memory ->
            out.change(
                new StrategyRemembered(
                    strategy.name(), memory.subject(), ProfileJson.text(memory))));
    if (changedNodes.isEmpty() && changedProjects.isEmpty()) {
      return;
    }
    ProfileSnapshot snapshot = profiles.snapshot();
    changedNodes.stream()
        .mapToObj(index -> snapshot.nodes().get(index))
        .forEach((NodeSnapshot n) -> out.change(new NodeProfiled(n.node(), ProfileJson.text(n))));
    changedProjects.stream()
        .mapToObj(index -> snapshot.projects().get(index))
        .forEach(
            (ProjectSnapshot p) ->
                out.change(new ProjectProfiled(p.project(), ProfileJson.text(p))));
    changedNodes.clear();
    changedProjects.clear();
  }

  /** Nodes that went away while the server did count as gone since then. */
  private void giveUpAwaited() {
    for (NodeProfile node : awaited) {
      if (node.isAwaited()) {
        profiles.onNotBack(node);
        comings.add(new NodeAvailable(node.node(), Availability.DOWN, restoredMillis));
        changedNodes.set(node.index());
      }
    }
    awaited.clear();
  }

  @Override
  public void onNodeUp(long nowMillis, NodeProfile node) {
    boolean goesOn = node.upSinceMillis() < nowMillis;
    comings.add(
        new NodeAvailable(node.node(), goesOn ? Availability.BACK : Availability.UP, nowMillis));
    changedNodes.set(node.index());
  }

  @Override
  public void onNodeDown(long nowMillis, NodeProfile node, double uptimeMinutes) {
    comings.add(new NodeAvailable(node.node(), Availability.DOWN, nowMillis));
    changedNodes.set(node.index());
  }

  @Override
  public void onNodeLeft(long nowMillis, NodeProfile node) {
    comings.add(new NodeAvailable(node.node(), Availability.LEFT, nowMillis));
    changedNodes.set(node.index());
  }

  @Override
  public void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    changedNodes.set(node.index());
    changedProjects.set(project.index());
  }

  @Override
  public void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    changedNodes.set(node.index());
  }
}
