package dev.imker.core.profile;

import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The profiles of all nodes and projects. The scheduler reports what happens, strategies read. All
 * calls come from the scheduler's thread; nothing here depends on the number of tasks.
 */
public final class PoolProfile {
  private final List<NodeProfile> nodes = new ArrayList<>();
  private final Map<NodeId, NodeProfile> nodesById = new HashMap<>();
  private final List<ProjectProfile> projects = new ArrayList<>();
  private final Map<ProjectId, ProjectProfile> projectsById = new HashMap<>();
  private final List<ProfileListener> listeners = new ArrayList<>();
  private final Ranking reputations = new Ranking();
  private UptimeClock clock = UptimeClock.WALL;
  private double benchmarkSum;
  private int idle;

  /** What counts as up-time; to be set before the first node comes up. */
  public void clock(UptimeClock value) {
    clock = value;
    nodes.forEach(node -> node.clock(value));
  }

  public void addListener(ProfileListener listener) {
    listeners.add(listener);
  }

  public void removeListener(ProfileListener listener) {
    listeners.remove(listener);
  }

  /** The profile of a node; a new one if it was never heard of. */
  public NodeProfile node(NodeId id) {
    NodeProfile known = nodesById.get(id);
    if (known != null) {
      return known;
    }
    NodeProfile node = new NodeProfile(id, nodes.size());
    node.clock(clock);
    nodes.add(node);
    nodesById.put(id, node);
    return node;
  }

  /** The profile of a project; a new one if it was never heard of. */
  public ProjectProfile project(ProjectId id) {
    ProjectProfile known = projectsById.get(id);
    if (known != null) {
      return known;
    }
    ProjectProfile project = new ProjectProfile(id, projects.size());
    projects.add(project);
    projectsById.put(id, project);
    return project;
  }

  /** Nodes ever seen, up or down. */
  public int nodes() {
    return nodes.size();
  }

  public NodeProfile node(int index) {
    return nodes.get(index);
  }

  public int projects() {
    return projects.size();
  }

  public ProjectProfile project(int index) {
    return projects.get(index);
  }

  public int nodesUp() {
    return reputations.size();
  }

  /** Nodes that are up and hold no work. */
  public int nodesIdle() {
    return idle;
  }

  /** The smallest R of the nodes that are up. */
  public double minReputation() {
    return reputations.min();
  }

  public double maxReputation() {
    return reputations.max();
  }

  public double reputationQuantile(double share) {
    return reputations.quantile(share);
  }

  /** Mean raw benchmark of the nodes that are up; 0 without nodes. */
  public double meanBenchmarkMillis() {
    return nodesUp() == 0 ? 0 : benchmarkSum / nodesUp();
  }

  /** A node came up, or came back: a new up-time begins. */
  public void onNodeUp(
      long nowMillis, NodeProfile node, double benchmarkMillis, boolean screenSaver) {
    onNodeUp(nowMillis, node, benchmarkMillis, screenSaver, 0);
  }

  /** The same; if its agent is the one it had before a restart of ours, its up-time goes on. */
  public void onNodeUp(
      long nowMillis,
      NodeProfile node,
      double benchmarkMillis,
      boolean screenSaver,
      long incarnation) {
    if (node.isUp()) {
      forgetUp(node);
    }
    int before = idle(node);
    node.onUp(nowMillis, benchmarkMillis, screenSaver, incarnation);
    idle += idle(node) - before;
    reputations.add(node.reputation());
    benchmarkSum += node.benchmarkMillis();
    for (ProfileListener listener : listeners) {
      listener.onNodeUp(nowMillis, node);
    }
  }

  /** The benchmark of a node became known, or was taken again. */
  public void onBenchmark(NodeProfile node, double benchmarkMillis) {
    if (node.isUp()) {
      benchmarkSum += benchmarkMillis - node.benchmarkMillis();
    }
    node.benchmark(benchmarkMillis);
  }

  /** A node fell silent or died; report its lost attempts first. No effect on a node not up. */
  public void onNodeDown(long nowMillis, NodeProfile node) {
    if (!node.isUp()) {
      return;
    }
    forgetUp(node);
    int before = idle(node);
    double minutes = node.onDown(nowMillis);
    idle += idle(node) - before;
    for (ProfileListener listener : listeners) {
      listener.onNodeDown(nowMillis, node, minutes);
    }
  }

  /** A node left on purpose (drained and stopped, updated): no outage is recorded. */
  public void onNodeLeft(long nowMillis, NodeProfile node) {
    if (node.isUp()) {
      forgetUp(node);
      int before = idle(node);
      node.onLeft();
      idle += idle(node) - before;
      for (ProfileListener listener : listeners) {
        listener.onNodeLeft(nowMillis, node);
      }
    }
  }

  /** Whether a node that is none of these went down since then, or before the server began. */
  public boolean mayReturn(List<NodeProfile> besides, long sinceMillis) {
    for (NodeProfile node : nodes) {
      if (!besides.contains(node) && node.mayReturn(sinceMillis)) {
        return true;
      }
    }
    return false;
  }

  private static int idle(NodeProfile node) {
    return node.isUp() && node.working() == 0 ? 1 : 0;
  }

  private void release(long nowMillis, NodeProfile node) {
    int before = idle(node);
    node.onReleased(nowMillis);
    idle += idle(node) - before;
  }

  private void forgetUp(NodeProfile node) {
    reputations.remove(node.reputation());
    benchmarkSum -= node.benchmarkMillis();
  }

  public void onTasksAdded(ProjectProfile project, TaskState state, int count) {
    project.onAdded(state, count);
  }

  /** Tasks of a project changed their state, by an attempt or otherwise. */
  public void onTasksMoved(ProjectProfile project, TaskState from, TaskState to, int count) {
    project.onMoved(from, to, count);
  }

  /** A node got a lease of one of the project's tasks; {@code copy}: the task ran already. */
  public void onAssigned(long nowMillis, NodeProfile node, ProjectProfile project, boolean copy) {
    int before = idle(node);
    node.onAssigned(nowMillis);
    idle += idle(node) - before;
    project.onCopies(copy ? 1 : 0);
    for (ProfileListener listener : listeners) {
      listener.onAssigned(nowMillis, node, project);
    }
  }

  /** One of several attempts at the same task ended: the project has one copy less. */
  public void onCopyEnded(ProjectProfile project) {
    project.onCopies(-1);
  }

  /** An attempt succeeded after running that long. */
  public void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, long runMillis) {
    double minutes = PoolTime.minutes(runMillis);
    release(nowMillis, node);
    judge(node, true, minutes);
    project.onSucceeded(minutes);
    for (ProfileListener listener : listeners) {
      listener.onSucceeded(nowMillis, node, project, minutes);
    }
  }

  /**
   * The code of a task failed. That says nothing of the node unless the task succeeds on another:
   * see {@link #onFault}.
   */
  public void onTaskFailed(
      long nowMillis, NodeProfile node, ProjectProfile project, long runMillis) {
    double minutes = PoolTime.minutes(runMillis);
    release(nowMillis, node);
    node.onTaskFailed();
    for (ProfileListener listener : listeners) {
      listener.onWithdrawn(nowMillis, node, project, minutes);
    }
  }

  /** A task that failed on this node after running that long has succeeded on another. */
  public void onFault(NodeProfile node, long runMillis) {
    if (node.isUp()) {
      reputations.remove(node.reputation());
    }
    node.onFault(PoolTime.minutes(runMillis));
    if (node.isUp()) {
      reputations.add(node.reputation());
    }
  }

  /** An attempt was lost with its node or its lease. */
  public void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, long runMillis) {
    double minutes = PoolTime.minutes(runMillis);
    release(nowMillis, node);
    judge(node, false, minutes);
    for (ProfileListener listener : listeners) {
      listener.onFailed(nowMillis, node, project, minutes);
    }
  }

  /** An attempt was stopped, given back, or superseded by another copy: nothing is judged. */
  public void onWithdrawn(
      long nowMillis, NodeProfile node, ProjectProfile project, long runMillis) {
    double minutes = PoolTime.minutes(runMillis);
    release(nowMillis, node);
    for (ProfileListener listener : listeners) {
      listener.onWithdrawn(nowMillis, node, project, minutes);
    }
  }

  private void judge(NodeProfile node, boolean success, double minutes) {
    if (node.isUp()) {
      reputations.remove(node.reputation());
    }
    if (success) {
      node.onSucceeded(minutes);
    } else {
      node.onFailed(minutes);
    }
    if (node.isUp()) {
      reputations.add(node.reputation());
    }
  }

  public ProfileSnapshot snapshot() {
    return new ProfileSnapshot(
        nodes.stream().map(NodeProfile::snapshot).toList(),
        projects.stream().map(ProjectProfile::snapshot).toList());
  }

  /** A node that was up before a restart did not come back in time. */
  public void onNotBack(NodeProfile node) {
    node.giveUp();
  }

  /** Brings back what was kept; to be called before the first node comes up. */
  public void restore(ProfileSnapshot snapshot) {
    snapshot.nodes().forEach(node -> node(node.node()).restore(node));
    snapshot.projects().forEach(project -> project(project.project()).restore(project));
  }
}
