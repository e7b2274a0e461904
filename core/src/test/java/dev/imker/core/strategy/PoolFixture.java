package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.NodeSnapshot;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileSnapshot;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.profile.ProjectSnapshot;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A pool with given reputations and run times, and choices in it. */
public final class PoolFixture {
  public final PoolProfile pool = new PoolProfile();
  public final List<NodeProfile> nodes = new ArrayList<>();
  public final List<ProjectProfile> projects = new ArrayList<>();
  final SplittableRandom random;

  public PoolFixture(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A node that is up, with averages that came out of one value each. */
  public NodeProfile node(double reputation, double failedMinutes, double succeededMinutes) {
    NodeId id = new NodeId("n" + nodes.size());
    NodeSnapshot snapshot =
        new NodeSnapshot(
            id,
            4000,
            reputation,
            new double[] {succeededMinutes},
            new double[] {failedMinutes},
            new double[0],
            1,
            1,
            1,
            0,
            0,
            0);
    pool.restore(new ProfileSnapshot(List.of(snapshot), List.of()));
    NodeProfile node = pool.node(id);
    pool.onNodeUp(0, node, 4000, false);
    nodes.add(node);
    return node;
  }

  public ProjectProfile project(double runMinutes, int ready) {
    return project("ann", runMinutes, ready);
  }

  public ProjectProfile project(String user, double runMinutes, int ready) {
    ProjectId id = new ProjectId(user, "p" + (projects.size() + 1));
    double[] runs = runMinutes > 0 ? new double[] {runMinutes} : new double[0];
    pool.restore(
        new ProfileSnapshot(
            List.of(), List.of(new ProjectSnapshot(id, runs, new long[0], Map.of(), 1))));
    ProjectProfile project = pool.project(id);
    pool.onTasksAdded(project, TaskState.READY, ready);
    projects.add(project);
    return project;
  }

  public void working(ProjectProfile project, int count) {
    pool.onTasksMoved(project, TaskState.READY, TaskState.RUNNING, count);
  }

  public void done(ProjectProfile project, int count) {
    pool.onTasksMoved(project, TaskState.READY, TaskState.DONE, count);
  }

  public Choice choice(NodeProfile node, ProjectProfile... candidates) {
    List<ProjectProfile> list = candidates.length == 0 ? projects : Arrays.asList(candidates);
    return new FixedChoice(600_000, node, list, pool, random);
  }
}
