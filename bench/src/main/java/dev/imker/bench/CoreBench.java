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
import dev.imker.model.Platform.Resource;
import dev.imker.model.ProjectId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
  private static final double[] CORES = {0.5, 1, 2, 4, 8};
  private static final int NEEDS = 20;

  /** Tasks of a project with which its run times are learnt. */
  private static final int FIRST_TASKS = 200;

  /** Keeps the assignments, which is all the bench needs. */
  private static final class Assignments implements Outbox {
    final List<AgentId> agents = new ArrayList<>();
    final List<Lease> leases = new ArrayList<>();

    /** How many tasks of a project's first job were handed out. */
    final int[] begun = new int[PROJECTS];

    @Override
    public void assign(AgentId agent, Lease lease, int attempt, Granted granted) {
      int job = (int) lease.task().job().value() - 1;
      if (attempt == 1 && job < PROJECTS) {
        begun[job]++;
      }
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

    void moveTo(Deque<Held> held) {
      for (int i = 0; i < leases.size(); i++) {
        held.add(new Held(agents.get(i), leases.get(i)));
      }
      clear();
    }

    void clear() {
      agents.clear();
      leases.clear();
    }
  }

  private record Held(AgentId agent, Lease lease) {}

  private record Cost(int ready, double decisionMicros, double reportMicros) {}

  public static void main(String[] args) {
    CoreBench bench = new CoreBench(System.out, args.length > 0 ? Long.parseLong(args[0]) : 4);
    List<String> strategies =
        args.length > 1
            ? List.of(args).subList(1, args.length)
            : List.of("balanced", "combined-improved", "survival");
    for (String strategy : strategies) {
      bench.run(strategy, false);
      bench.run(strategy, true);
    }
    bench.memory();
  }

  /**
   * @param needs whether tasks ask for amounts, and machines run as many as they have them for
   */
  private void run(String name, boolean needs) {
    out.printf(
        Locale.ROOT,
        "Strategy %s, %d projects%s, %d nodes%n%12s %18s %18s%n",
        name,
        PROJECTS,
        needs ? " with " + NEEDS + " different needs" : "",
        NODES,
        "READY tasks",
        "decision [µs]",
        "report [µs]");
    measure(Strategies.parse(name), QUEUE_LENGTHS[0], needs);
    for (int length : QUEUE_LENGTHS) {
      Cost cost = measure(Strategies.parse(name), length, needs);
      out.printf(
          Locale.ROOT,
          "%12d %18.2f %18.2f%n",
          cost.ready(),
          cost.decisionMicros(),
          cost.reportMicros());
    }
  }

  private Cost measure(Strategy strategy, int queueLength, boolean needs) {
    Assignments assigned = new Assignments();
    Scheduler scheduler = new Scheduler(SchedulerSettings.defaults(), strategy, 1, 42);
    long now = 1_000_000;
    for (int i = 0; i < PROJECTS; i++) {
      scheduler.onSubmit(now, job(i + 1, i, FIRST_TASKS, needs), assigned);
    }
    for (int i = 0; i < NODES; i++) {
      scheduler.onHello(now, needs ? machine(i) : agent(i), assigned);
    }
    scheduler.dispatch(now, assigned);
    now = finishAll(scheduler, assigned, now);
    for (int i = 0; i < PROJECTS; i++) {
      int begun = assigned.begun[i];
      scheduler.onCancel(now, new JobId(i + 1L), begun, FIRST_TASKS, assigned);
      scheduler.onSubmit(now, job(PROJECTS + i + 1, i, queueLength / PROJECTS, needs), assigned);
    }
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
    long reports = 0;
    AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.GIVEN_BACK, now, "");
    long end = System.nanoTime() + secondsPerLine * 1_000_000_000L;
    long warm = System.nanoTime() + secondsPerLine * 250_000_000L;
    Deque<Held> held = new ArrayDeque<>();
    assigned.moveTo(held);
    int ready = scheduler.view().ready();
    while (System.nanoTime() < end) {
      now += 1;
      long begin = cpuNanos();
      for (int i = 0; i < FREE_AT_A_TIME; i++) {
        Held one = held.remove();
        scheduler.onFinished(now, one.agent(), one.lease(), report, assigned);
        reports++;
      }
      long middle = cpuNanos();
      scheduler.dispatch(now, assigned);
      long after = cpuNanos();
      if (System.nanoTime() < warm) {
        reports = 0;
      } else {
        reportNanos += middle - begin;
        dispatchNanos += after - middle;
        decisions += assigned.leases.size();
      }
      assigned.moveTo(held);
    }
    return new Cost(ready, dispatchNanos / 1e3 / decisions, reportNanos / 1e3 / reports);
  }

  private void memory() {
    Assignments assigned = new Assignments();
    Scheduler scheduler = new Scheduler(SchedulerSettings.defaults(), new Balanced(), 1, 42);
    long before = usedBytes();
    scheduler.onSubmit(0, job(1, 0, 1_000_000, false), assigned);
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

  private static JobHeader job(long id, int project, int tasks, boolean needs) {
    ProjectId projectId = new ProjectId("bench", "p" + project);
    Requirements all = needs ? needs(project % NEEDS) : Requirements.ANY;
    return new JobHeader(new JobId(id), projectId, tasks, all, 4, 5, 0, false);
  }

  private static Requirements needs(int number) {
    return new Requirements(
        List.of(
            new Need(
                Set.of(),
                Set.of(),
                CORES[number % CORES.length],
                number % 10 == 9 ? 1 : 0,
                (long) (1 + number / CORES.length) << 31,
                0,
                Set.of(),
                Map.of(),
                0,
                false,
                number == 7 ? Map.of("fpga", 1.0) : Map.of(),
                false,
                Set.of())));
  }

  /** One of 16 cores; every fourth has GPUs, every tenth what its owner declared. */
  private static AgentHello machine(int number) {
    Map<String, Resource> others = number % 10 == 0 ? Map.of("fpga", Resource.of(2)) : Map.of();
    Platform platform =
        new Platform(
            "linux",
            "6",
            "amd64",
            "h" + number,
            16,
            number % 4 == 0 ? 4 : 0,
            64L << 30,
            1L << 40,
            4000,
            Map.of(),
            Set.of(),
            Map.of(),
            0,
            others);
    return hello(number, platform).withoutSlotLimit();
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
    return hello(number, platform);
  }

  private static AgentHello hello(int number, Platform platform) {
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
