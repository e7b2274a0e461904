package dev.imker.server.loop;

import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.job.OnFailure;
import dev.imker.server.live.LiveJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects what the scheduler wants done in one turn, until it is on disk. */
final class TurnOutbox implements Outbox {
  private sealed interface Message {
    record Assign(AgentId agent, Lease lease, int attempt, Granted granted) implements Message {}

    record Stop(AgentId agent, Lease lease, String reason) implements Message {}

    record Recall(AgentId agent, Lease lease) implements Message {}

    record Confirm(AgentId agent, Lease lease, boolean accepted) implements Message {}

    record Pause(AgentId agent, String why) implements Message {}

    record Describe(AgentId agent, JobId job, int stage) implements Message {}
  }

  private final List<Change> changes = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private final Set<JobId> touched = new LinkedHashSet<>();
  private final Map<JobId, JobChanged> settled = new LinkedHashMap<>();
  private @Nullable JobId lastTouched;
  private boolean nodesChanged;
  private int assigned;

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
    messages.add(new Message.Assign(agent, lease, attempt, granted));
    assigned++;
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    messages.add(new Message.Stop(agent, lease, reason));
  }

  @Override
  public void recall(AgentId agent, Lease lease) {
    messages.add(new Message.Recall(agent, lease));
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    messages.add(new Message.Confirm(agent, lease, accepted));
  }

  @Override
  public void limitsChanged(AgentId agent, JobId job, int stage) {
    messages.add(new Message.Describe(agent, job, stage));
  }

  @Override
  public void pause(AgentId agent, String why) {
    messages.add(new Message.Pause(agent, why));
  }

  @Override
  public void nodesTouched() {
    nodesChanged = true;
  }

  @Override
  public void change(Change change) {
    changes.add(change);
    switch (change) {
      case JobChanged job -> {
        jobTouched(job.job());
        if (job.settledMillis() != JobChanged.OPEN) {
          settled.put(job.job(), job);
        } else {
          settled.remove(job.job()); // it begins again, or is rolled back
        }
      }
      case NodeSeen seen -> nodesChanged = true;
      default -> {}
    }
  }

  @Override
  public void jobTouched(JobId job) {
    if (!Objects.equals(job, lastTouched)) {
      touched.add(job);
      lastTouched = job;
    }
  }

  /** Jobs that settled in this turn, some of them perhaps not for the first time. */
  Collection<JobChanged> settled() {
    return settled.values();
  }

  /** Jobs in which something happened. */
  Set<JobId> touched() {
    return touched;
  }

  /** How much there is to write and to tell so far. */
  int size() {
    return changes.size() + messages.size() + touched.size() + (nodesChanged ? 1 : 0);
  }

  List<Change> changes() {
    return changes;
  }

  int assigned() {
    return assigned;
  }

  /**
   * Whether all there is to send is a little work, to agents that were there before: one that comes
   * is welcomed first. Later attempts look up what became of earlier ones, so that has to be
   * written before they go.
   */
  boolean isOnlyLittleWork(int most) {
    return assigned > 0
        && assigned <= most
        && messages.size() == assigned
        && !nodesChanged
        && messages.stream().allMatch(m -> m instanceof Message.Assign a && a.attempt == 1);
  }

  /**
   * Sends the work, and nothing else, before the changes are on disk. An agent whose lease is lost
   * after all hears so when it shows it.
   */
  void sendWork(PoolState pool, AgentLines agents) {
    for (Message message : messages) {
      if (message instanceof Message.Assign assign) {
        send(assign, pool, agents);
      }
    }
    messages.removeIf(Message.Assign.class::isInstance);
  }

  private static void send(Message.Assign assign, PoolState pool, AgentLines agents) {
    LiveJob job = pool.job(assign.lease.task().job());
    if (job == null) { // it was removed later in the same turn
      return;
    }
    boolean undo =
        job.spec().onFailure().way() == OnFailure.Way.ROLLBACK
            && pool.scheduler().view().isUndoing(job.id());
    agents.assign(assign.agent, assign.lease, assign.attempt, assign.granted, job, undo);
  }

  /** Sends and tells everything; to be called once the changes are on disk. */
  void release(PoolState pool, AgentLines agents, PoolListener listener) {
    for (Message message : messages) {
      switch (message) {
        case Message.Assign assign -> send(assign, pool, agents);
        case Message.Stop stop -> agents.stop(stop.agent, stop.lease, stop.reason);
        case Message.Recall recall -> agents.recall(recall.agent, recall.lease);
        case Message.Confirm confirm ->
            agents.confirm(confirm.agent, confirm.lease, confirm.accepted);
        case Message.Pause pause -> agents.pause(pause.agent, pause.why);
        case Message.Describe describe -> {
          LiveJob job = pool.job(describe.job);
          if (job != null) { // it may have been cancelled and removed later in the same turn
            agents.describe(describe.agent, job, describe.stage);
          }
        }
      }
    }
    agents.committed(changes, pool);
    listener.committed(changes, pool);
    for (Change change : changes) {
      if (change instanceof JobChanged job) {
        pool.written(job);
      }
    }
    settled.keySet().forEach(pool::settled);
    pool.forgetOldest();
    if (!touched.isEmpty()) {
      listener.jobsChanged(touched, List.copyOf(settled.keySet()));
    }
    if (nodesChanged) {
      listener.nodesChanged();
    }
  }

  void clear() {
    changes.clear();
    messages.clear();
    touched.clear();
    settled.clear();
    lastTouched = null;
    nodesChanged = false;
    assigned = 0;
  }
}
