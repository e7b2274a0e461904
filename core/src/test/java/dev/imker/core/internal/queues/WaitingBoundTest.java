package dev.imker.core.internal.queues;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.RecordingOutbox;
import dev.imker.core.SchedulerFixture;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing that is READY and fits waits for ever, whatever the strategy prefers. */
class WaitingBoundTest extends SchedulerFixture {
  private static final int SEEDS = 2;
  private static final int GRANTS = 1_500;

  /** Work that is never done within a test. */
  private static final int ENDLESS = 1_000_000;

  private static final SchedulerSettings PATIENT =
      SchedulerSettings.defaults().withLeaseMillis(Long.MAX_VALUE / 4);

  private static final Requirements ONE_GPU =
      new Requirements(
          List.of(
              new Need(
                  Set.of(), Set.of(), 0, 1, 0, 0, Set.of(), Map.of(), 0, false, Map.of(), false,
                  Set.of())));

  private record Run(String agent, Lease lease, long endMillis) {}

  static Stream<String> strategies() {
    return Strategies.all().stream().map(Strategies.Kind::name);
  }

  static Stream<Arguments> seeded() {
    long first = Long.getLong("imker.seed", new Random().nextInt(1 << 20));
    return strategies()
        .flatMap(name -> Stream.iterate(first, s -> s + 1).limit(SEEDS).map(s -> of(name, s)));
  }

  private static Arguments of(String strategy, long seed) {
    return Arguments.of(strategy, seed);
  }

  private void submit(long id, String project, int tasks, int priority) {
    submit(id, project, tasks, priority, Requirements.ANY);
  }

  private void submit(long id, String project, int tasks, int priority, Requirements needs) {
    submit(
        new JobHeader(
            new JobId(id), new ProjectId("ada", project), tasks, needs, priority, 3, 0, false));
  }

  /** A node with a GPU for every slot. */
  private void connectGpus(String name, int slots) {
    Platform platform =
        new Platform("linux", "6", "amd64", name, 16, slots, 8L << 30, 0, 4000, Map.of(), Set.of());
    NodeId node = new NodeId("node-" + name);
    scheduler.onHello(
        now,
        new AgentHello(new AgentId(name), node, name, "1", platform, slots, 1, List.of()),
        out);
  }

  /**
   * Projects of one user whose tasks take from seconds to hours, on nodes that come to fail them,
   * with small jobs in between; in half of the pools some of them wait for GPUs. Between two grants
   * to a project that has work lie at most as many rounds as stated, and one for looking at all in
   * turn.
   */
  @ParameterizedTest(name = "{0}, imker.seed={1}")
  @MethodSource("seeded")
  void no_project_with_work_is_left_out_for_more_than_the_stated_rounds(
      String strategy, long seed) {
    Random random = new Random(seed);
    scheduler = scheduler(PATIENT, Strategies.parse(strategy));
    int nodes = 1 + random.nextInt(6);
    int feeders = 1 + random.nextInt(4);
    int smalls = 1 + random.nextInt(3);
    boolean gpus = seed % 2 == 0;
    for (int i = 0; i < nodes; i++) {
      if (gpus) {
        connectGpus("a" + i, 1 + random.nextInt(3));
      } else {
        connect("a" + i, 1 + random.nextInt(3));
      }
    }
    for (int i = 0; i < feeders; i++) {
      Requirements needs = gpus && random.nextBoolean() ? ONE_GPU : Requirements.ANY;
      submit(i + 1, "feeder" + i, ENDLESS, 4, needs);
    }
    Map<String, Integer> waiting = new HashMap<>();
    Map<JobId, String> projects = new HashMap<>();
    for (int i = 0; i < feeders; i++) {
      projects.put(job(i + 1), "feeder" + i);
      waiting.put("feeder" + i, 0);
    }
    long bound = (Ageing.MAX_ROUNDS + 2L) * (nodes + feeders + smalls);
    PriorityQueue<Run> runs = new PriorityQueue<>(Comparator.comparingLong(Run::endMillis));
    long nextId = 100;
    int granted = 0;
    while (granted < GRANTS) {
      for (int i = 0; i < smalls; i++) {
        if (!waiting.containsKey("small" + i) && random.nextInt(50) == 0) {
          submit(++nextId, "small" + i, 1, random.nextInt(5));
          projects.put(job(nextId), "small" + i);
          waiting.put("small" + i, 0);
        }
      }
      dispatch();
      for (RecordingOutbox.Assigned assigned : out.takeAssigned()) {
        String project = Objects.requireNonNull(projects.get(assigned.lease().task().job()));
        granted++;
        waiting.replaceAll((other, grants) -> grants + 1);
        waiting.put(project, 0);
        if (project.startsWith("small")) {
          waiting.remove(project);
        }
        assertThat(waiting.values()).allMatch(grants -> grants <= bound);
        long minutes = project.equals("feeder0") ? 1 : 1 + random.nextInt(200);
        runs.add(new Run(assigned.agent().value(), assigned.lease(), now + minutes * 60_000));
      }
      Run ended = runs.poll();
      if (ended == null) {
        now += 60_000; // every slot was left to a better node for a while
        scheduler.onTick(now, out);
        continue;
      }
      now = Math.max(now, ended.endMillis);
      finish(ended.agent, ended.lease, AttemptOutcome.SUCCEEDED, 60_000);
      out.takeAll();
      out.takeChanges();
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void more_urgent_work_of_a_user_comes_first_in_whichever_project(String strategy) {
    scheduler = scheduler(PATIENT, Strategies.parse(strategy));
    submit(1, "usual", 50, 4);
    submit(2, "urgent", 3, 8);
    submit(3, "later", 50, 1);
    connect("a", 3);
    dispatch();
    List<Lease> first = out.takeAssigned().stream().map(RecordingOutbox.Assigned::lease).toList();
    // Under local-queue more tasks wait behind these at the agent.
    assertThat(first.subList(0, 3)).extracting(lease -> lease.task().job()).containsOnly(job(2));
  }

  @Test
  void task_of_low_priority_is_not_behind_a_stream_of_urgent_ones_for_ever() {
    scheduler = scheduler(PATIENT, Strategies.parse("survival"));
    submit(1, "p", 1, 0);
    submit(2, "p", ENDLESS, 9);
    connect("a", 1);
    int grants = 1;
    for (Lease lease = leaseFor("a"); !lease.task().job().equals(job(1)); lease = leaseFor("a")) {
      now += 60_000;
      finishes("a", lease, AttemptOutcome.SUCCEEDED);
      grants++;
    }
    assertThat(grants).isLessThanOrEqualTo(ProjectQueues.BY_AGE);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void task_without_gpu_is_not_behind_those_of_its_project_with_one_for_ever(String strategy) {
    scheduler = scheduler(PATIENT, Strategies.parse(strategy));
    submit(1, "p", 1, 4);
    submit(2, "p", ENDLESS, 4, ONE_GPU);
    connectGpus("a", 1);
    int grants = 1;
    for (Lease lease = leaseFor("a"); !lease.task().job().equals(job(1)); lease = leaseFor("a")) {
      now += 60_000;
      finishes("a", lease, AttemptOutcome.SUCCEEDED);
      grants++;
      assertThat(grants).isLessThanOrEqualTo(ProjectQueues.BY_AGE);
    }
  }
}
