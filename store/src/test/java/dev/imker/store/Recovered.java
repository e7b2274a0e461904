package dev.imker.store;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedThing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Keeps what a store tells and checks the order in which it does. */
public final class Recovered implements RecoverySink {
  public record Task(TaskState state, int failures, int losses, int attempts) {}

  public record Held(Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis) {}

  public final Map<Long, JobRecord> jobs = new LinkedHashMap<>();
  final Map<Long, JobSpec> specs = new LinkedHashMap<>();
  public final Map<TaskId, Task> tasks = new LinkedHashMap<>();
  public final List<Held> leases = new ArrayList<>();
  public final Map<NodeId, String> nodeProfiles = new LinkedHashMap<>();
  final Map<ProjectId, String> projectProfiles = new LinkedHashMap<>();
  final Map<String, String> memories = new LinkedHashMap<>();

  final Map<SharedKey, SharedThing> things = new LinkedHashMap<>();
  final List<SharedEntry> entries = new ArrayList<>();

  public static Recovered of(PoolStore store) {
    Recovered recovered = new Recovered();
    store.load(recovered);
    store.loadShared(recovered::shared, recovered::shared);
    return recovered;
  }

  Task taskOf(TaskId id) {
    return Objects.requireNonNull(tasks.get(id), () -> "not told: " + id);
  }

  JobRecord jobOf(long id) {
    return Objects.requireNonNull(jobs.get(id), () -> "not told: " + id);
  }

  @Override
  public void nodeProfile(NodeId node, String profileJson) {
    require(jobs.isEmpty(), "profile after a job: " + node);
    require(nodeProfiles.put(node, profileJson) == null, "profile told twice: " + node);
  }

  @Override
  public void projectProfile(ProjectId project, String profileJson) {
    require(jobs.isEmpty(), "profile after a job: " + project);
    require(projectProfiles.put(project, profileJson) == null, "profile told twice: " + project);
  }

  @Override
  public void strategyMemory(String strategy, String subject, String memoryJson) {
    require(jobs.isEmpty(), "memory after a job: " + subject);
    String key = strategy + " " + subject;
    require(memories.put(key, memoryJson) == null, "memory told twice: " + key);
  }

  @Override
  public void job(JobRecord job, JobSpec spec) {
    require(!jobs.containsKey(job.id().value()), "job told twice: " + job.id());
    jobs.put(job.id().value(), job);
    specs.put(job.id().value(), spec);
  }

  @Override
  public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
    require(jobs.containsKey(task.job().value()), "task before its job: " + task);
    Task before = tasks.put(task, new Task(state, failures, losses, attempts));
    require(before == null, "task told twice: " + task);
  }

  @Override
  public void lease(
      Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
    Task task = tasks.get(lease.task());
    require(task != null && task.state() == TaskState.RUNNING, "lease without task: " + lease);
    leases.add(new Held(lease, agent, node, attempt, startedMillis));
  }

  private void shared(SharedThing thing) {
    require(things.put(thing.key(), thing) == null, "thing told twice: " + thing);
  }

  private void shared(SharedEntry entry) {
    require(
        entries.isEmpty() || entries.getLast().number() < entry.number(), "out of order: " + entry);
    entries.add(entry);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
