package dev.imker.bench.packing;

import dev.imker.bench.packing.MixedPool.Project;
import dev.imker.bench.packing.MixedPool.Task;
import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The scheduler of the pool decides. */
final class Scheduled extends PackingRun implements Outbox {
  private final Scheduler scheduler;
  private final Map<Task, Lease> leases = new HashMap<>();
  private final Task[][] tasks;

  Scheduled(MixedPool pool, String strategy) {
    super(pool);
    scheduler = new Scheduler(SchedulerSettings.defaults(), Strategies.parse(strategy), 1, 42);
    tasks = new Task[pool.projects().size()][];
    for (int p = 0; p < tasks.length; p++) {
      tasks[p] = new Task[pool.projects().get(p).tasks()];
    }
    pool.tasks().forEach(task -> tasks[task.project()][task.index()] = task);
    for (int p = 0; p < tasks.length; p++) {
      scheduler.onSubmit(0, job(p), this);
    }
    for (int machine = 0; machine < free.length; machine++) {
      scheduler.onHello(0, hello(machine), this);
    }
  }

  private JobHeader job(int number) {
    Project project = pool.projects().get(number);
    Need need =
        new Need(
            Set.of(),
            Set.of(),
            project.needs().cores(),
            project.needs().gpus(),
            (long) project.needs().gigabytes() << 30,
            0,
            Set.of(),
            Map.of(),
            0);
    return new JobHeader(
        new JobId(number + 1L),
        new ProjectId("bench", project.name()),
        project.tasks(),
        new Requirements(List.of(need)),
        4,
        5,
        0,
        false);
  }

  private AgentHello hello(int machine) {
    Amounts has = pool.machines().get(machine);
    String name = Integer.toString(machine);
    Platform platform =
        new Platform(
            "linux",
            "6",
            "amd64",
            name,
            has.cores(),
            has.gpus(),
            (long) has.gigabytes() << 30,
            1L << 40,
            4000,
            Map.of(),
            Set.of());
    return new AgentHello(
            new AgentId(name), new NodeId(name), name, "1", platform, has.cores(), 1, List.of())
        .withoutSlotLimit();
  }

  @Override
  void fill() {
    scheduler.dispatch(nowMillis, this);
  }

  @Override
  void ended(int machine, Task task) {
    AttemptReport report =
        new AttemptReport(
            AttemptOutcome.SUCCEEDED,
            0,
            nowMillis - task.millis(),
            nowMillis,
            task.millis(),
            0,
            CapturedOutput.NONE,
            CapturedOutput.NONE,
            List.of(),
            "");
    Lease lease = Objects.requireNonNull(leases.remove(task));
    scheduler.onFinished(nowMillis, new AgentId(Integer.toString(machine)), lease, report, this);
  }

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
    Task task = tasks[(int) lease.task().job().value() - 1][lease.task().index()];
    leases.put(task, lease);
    begin(Integer.parseInt(agent.value()), task);
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {}

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {}

  @Override
  public void change(Change change) {}

  @Override
  public void jobTouched(JobId job) {}
}
