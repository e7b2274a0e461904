package dev.imker.server.loop;

import dev.imker.core.Outbox;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.NodeSnapshot;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.PoolSnapshot;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.profile.ProjectSnapshot;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.ProjectProfiled;
import java.util.BitSet;
import java.util.List;

/**
 * Keeps on disk what is known of nodes and projects: those that changed, every few seconds, with
 * the other changes of a turn. A crash costs the last seconds of statistics and nothing else.
 */
final class ProfileKeeper implements ProfileListener {
  private static final long WRITE_MILLIS = 3_000;

  private final PoolProfile profiles;
  private final BitSet changedNodes = new BitSet();
  private final BitSet changedProjects = new BitSet();
  private long nextMillis;

  ProfileKeeper(PoolProfile profiles) {
    this.profiles = profiles;
    profiles.addListener(this);
  }

  /** Brings back what was kept of a node; before the first node comes up. */
  void restoreNode(NodeId node, String json) {
    ProfileJson.node(node, json)
        .ifPresent(kept -> profiles.restore(new PoolSnapshot(List.of(kept), List.of())));
  }

  void restoreProject(ProjectId project, String json) {
    ProfileJson.project(project, json)
        .ifPresent(kept -> profiles.restore(new PoolSnapshot(List.of(), List.of(kept))));
  }

  void writeDue(long nowMillis, Outbox out) {
    if (nowMillis >= nextMillis) {
      nextMillis = nowMillis + WRITE_MILLIS;
      write(out);
    }
  }

  /** Writes all that changed since the last time. */
  void write(Outbox out) {
    if (changedNodes.isEmpty() && changedProjects.isEmpty()) {
      return;
    }
    PoolSnapshot snapshot = profiles.snapshot();
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

  @Override
  public void onNodeUp(long nowMillis, NodeProfile node) {
    changedNodes.set(node.index());
  }

  @Override
  public void onNodeDown(long nowMillis, NodeProfile node, double uptimeMinutes) {
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
