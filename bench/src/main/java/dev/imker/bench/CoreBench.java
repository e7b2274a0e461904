package dev.imker.bench;

import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.catalogue.Balanced;
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
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a decision of the scheduler costs against the number of READY tasks, and what these cost in
 * memory. The queue is kept at its length by giving tasks back.
 */
public record CoreBench(PrintStream out, long secondsPerLine) {
  private static final int PROJECTS = 1_000;
  private static final int NODES = 10_000;
  private static final int FREE_AT_A_TIME = 500;
  private static final long LONGEST_MILLIS = 3_600_000;
  private static final int[] QUEUE_LENGTHS = {1_000, 10_000, 100_000, 1_000_000};

  /** Keeps the assignments, which is all the bench needs. */
  private static final class Assignments implements Outbox {
    final List<AgentId> agents = new ArrayList<>();
    final List<Lease> leases = new ArrayList<>();

    @Override
    public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
      agents.add(agent);
      leases.add(lease);
    }

    @Override
    public void stop(AgentId agent, Lease lease, String reason) {}

    @Override
    public void confirm(AgentId agent, Lease lease, boolean accepted) {}

    @Override
    public void change(Change change) {}

    @Override
    public void jobTouched(JobId job) {}

    void clear() {
      agents.clear();
      leases.clear();
    }
  }

  private record Cost(double decisionMicros, double reportMicros) {}

  public static void main(String[] args) {
    CoreBench bench = new CoreBench(System.out, args.length > 0 ? Long.parseLong(args[0]) : 4);
    List<String> strategies =
        args.length > 1
            ? List.of(args).subList(1, args.length)
            : List.of("balanced", "combined-improved", "survival");
    strategies.forEach(bench::run);
    bench.memory();
  }

  private void run(String name) {
    out.printf(
        Locale.ROOT,
        "Strategy %s, %d projects, %d nodes%n%12s %18s %18s%n",
        name,
        PROJECTS,
        NODES,
        "READY tasks",
        "decision [µs]",
        "report [µs]");
    measure(Strategies.parse(name), QUEUE_LENGTHS[0]);
    for (int length : QUEUE_LENGTHS) {
      Cost cost = measure(Strategies.parse(name), length);
      out.printf(
          Locale.ROOT, "%12d %18.2f %18.2f%n", length, cost.decisionMicros(), cost.reportMicros());
    }
  }

  private Cost measure(Strategy strategy, int queueLength) {
    Assignments assigned = new Assignments();
    Scheduler scheduler = new Scheduler(SchedulerSettings.defaults(), strategy, 1, 42);
    long now = 1_000_000;
    int perProject = (queueLength + 2 * NODES) / PROJECTS;
    for (int i = 0; i < PROJECTS; i++) {
      scheduler.onSubmit(now, job(i + 1, i, perProject), assigned);
    }
    for (int i = 0; i < NODES; i++) {
      scheduler.onHello(now, agent(i), assigned);
    }
    scheduler.dispatch(now, assigned);
    now = finishAll(scheduler, assigned, now);
    return giveBackAndForth(scheduler, assigned, now);
  }

  /** Lets every project be known by its run times, and starts the next tasks. */
  private static long finishAll(Scheduler scheduler, Assignments assigned, long start) {
    long now = start + LONGEST_MILLIS;
    List<AgentId> agents = List.copyOf(assigned.agents);
    List<Lease> leases = List.copyOf(assigned.leases);
    assigned.clear();
    for (int i = 0; i < leases.size(); i++) {
      long length = LONGEST_MILLIS / (1 + leases.get(i).task().job().value() % 50);
      scheduler.onFinished(now, agents.get(i), leases.get(i), success(now, length), assigned);
    }
    assigned.clear();
    scheduler.dispatch(now, assigned);
    return now;
  }

  private static AttemptReport success(long now, long length) {
    return new AttemptReport(
        AttemptOutcome.SUCCEEDED,
        0,
        now - length,
        now,
        length,
        0,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "");
  }

  private Cost giveBackAndForth(Scheduler scheduler, Assignments assigned, long start) {
    long now = start;
    long dispatchNanos = 0;
    long reportNanos = 0;
    long decisions = 0;
    AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.GIVEN_BACK, now, "");
    long end = System.nanoTime() + secondsPerLine * 1_000_000_000L;
    long warm = System.nanoTime() + secondsPerLine * 250_000_000L;
    List<AgentId> agents = new ArrayList<>(assigned.agents);
    List<Lease> leases = new ArrayList<>(assigned.leases);
    int next = 0;
    while (System.nanoTime() < end) {
      now += 1;
      long begin = cpuNanos();
      for (int i = 0; i < FREE_AT_A_TIME; i++) {
        int at = (next + i) % leases.size();
        scheduler.onFinished(now, agents.get(at), leases.get(at), report, assigned);
      }
      assigned.clear();
      long middle = cpuNanos();
      scheduler.dispatch(now, assigned);
      long after = cpuNanos();
      if (System.nanoTime() > warm) {
        reportNanos += middle - begin;
        dispatchNanos += after - middle;
        decisions += assigned.leases.size();
      }
      for (int i = 0; i < assigned.leases.size(); i++) {
        int at = (next + i) % leases.size();
        agents.set(at, assigned.agents.get(i));
        leases.set(at, assigned.leases.get(i));
      }
      next = (next + FREE_AT_A_TIME) % leases.size();
    }
    return new Cost(dispatchNanos / 1e3 / decisions, reportNanos / 1e3 / decisions);
  }

  private void memory() {
    Assignments assigned = new Assignments();
    Scheduler scheduler = new Scheduler(SchedulerSettings.defaults(), new Balanced(), 1, 42);
    long before = usedBytes();
    scheduler.onSubmit(0, job(1, 0, 1_000_000), assigned);
    long used = usedBytes() - before;
    long begin = System.nanoTime();
    int cancelled = scheduler.onCancel(0, new JobId(1), 0, 1_000_000, assigned);
    long cancelNanos = System.nanoTime() - begin;
    out.printf(
        Locale.ROOT,
        "1,000,000 READY tasks: %.1f MB; cancelling all %d: %.1f ms%n",
        used / 1e6,
        cancelled,
        cancelNanos / 1e6);
  }

  /** Time of this thread on a processor: other work on the machine does not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long usedBytes() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      System.gc();
      used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
    }
    return used;
  }

  private static JobHeader job(long id, int project, int tasks) {
    ProjectId projectId = new ProjectId("bench", "p" + project);
    return new JobHeader(new JobId(id), projectId, tasks, Requirements.ANY, 4, 5, 0, false);
  }

  private static AgentHello agent(int number) {
    Platform platform =
        new Platform(
            "linux",
            "6",
            "amd64",
            "h" + number,
            4,
            0,
            8L << 30,
            1L << 40,
            4000,
            Map.of(),
            Set.of());
    return new AgentHello(
        new AgentId("a" + number),
        new NodeId("n" + number),
        "a" + number,
        "1",
        platform,
        1,
        1,
        List.of());
  }
}
