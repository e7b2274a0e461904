package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentView;
import dev.imker.core.message.Dependency;
import dev.imker.core.message.NodeTerms;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.TaskLimits;
import dev.imker.testbase.Attack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever comes in is refused or taken, but never with an exception, and touches nothing else. */
class GarbageTest extends SchedulerFixture {
  private static final int SEEDS = 5;
  private static final int COMMANDS = 2_000;
  private static final long[] ODD_LONGS = {
    Long.MIN_VALUE, -1, 0, 1, 2, 3, 1L << 40, (1L << 40) + 1, Long.MAX_VALUE
  };
  private static final int[] ODD_INTS = {
    Integer.MIN_VALUE, -1, 0, 1, 2, 5, 9, 10, 1 << 20, Integer.MAX_VALUE
  };

  private Random random = new Random(0);
  private final List<Lease> leases = new ArrayList<>();

  static LongStream seeds() {
    long first = Long.getLong("imker.seed", new Random().nextInt(1 << 20));
    return LongStream.range(first, first + SEEDS);
  }

  /** All that could be touched: states of tasks, counts, and who holds what. */
  private Map<Object, Object> everything() {
    Map<Object, Object> all = new HashMap<>();
    for (JobId job : scheduler.view().jobs()) {
      int[] counts = scheduler.view().counts(job);
      all.put(job, Arrays.toString(counts) + scheduler.view().phase(job));
    }
    for (AgentView agent : scheduler.view().agents()) {
      all.put(agent.agent(), scheduler.view().leases(agent.agent()));
    }
    return all;
  }

  private void begin(long seed) {
    random = new Random(seed);
    scheduler.onQuota("ada", 50);
    submit(header(1, 20));
    submit(staged(2, stage(3), stage(3, new Dependency.Each(0)), stage(1, new Dependency.All(1))));
    submit(header(3, "other", 5));
    connect("a", 3);
    connect("b", 2);
    dispatch();
    out.takeAssigned().forEach(assigned -> leases.add(assigned.lease()));
  }

  @ParameterizedTest(name = "imker.seed={0}")
  @MethodSource("seeds")
  @Attack("send commands about jobs, tasks, agents and leases that do not exist")
  void what_names_nothing_that_is_there_changes_nothing(long seed) {
    begin(seed);
    Map<Object, Object> before = everything();
    for (int i = 0; i < COMMANDS; i++) {
      foreign();
      out.takeAll();
      assertThat(everything()).isEqualTo(before);
      scheduler.checkInvariants();
    }
  }

  @ParameterizedTest(name = "imker.seed={0}")
  @MethodSource("seeds")
  @Attack("send absurd values as an agent")
  void absurd_values_of_one_agent_break_nothing(long seed) {
    begin(seed);
    for (int i = 0; i < COMMANDS; i++) {
      now += random.nextInt(100);
      Map<Object, Object> before = everything();
      absurd();
      out.takeAll();
      out.takeChanges();
      assertThat(everything().get(id("b"))).isEqualTo(before.get(id("b")));
      scheduler.checkInvariants();
      scheduler.onSignOfLife(now, id("b"), scheduler.view().leases(id("b")), out);
      scheduler.dispatchTo(now, id("a"), out);
      out.takeAll();
    }
  }

  /** A command about a job, an agent, a lease or a range that does not exist. */
  private void foreign() {
    JobId nowhere = new JobId(1000 + oddLong());
    switch (random.nextInt(14)) {
      case 0 -> scheduler.onFinished(now, id("nobody"), oneOf(leases), absurdReport(), out);
      case 1 -> scheduler.onFinished(now, id("a"), foreignLease(), absurdReport(), out);
      case 2 -> scheduler.onUndeliverable(now, id("a"), foreignLease(), "x", true, out);
      case 3 -> scheduler.onCancel(now, nowhere, oddInt(), oddInt(), out);
      case 4 -> scheduler.onRelease(now, new JobId(1), 1 << 30, oddInt(), out);
      case 5 -> scheduler.onBlock(now, new JobId(1), Integer.MIN_VALUE, -random.nextInt(9), out);
      case 6 -> scheduler.restart(now, nowhere, out);
      case 7 ->
          assertThat(scheduler.onPriority(now, job(1), 10 + random.nextInt(9), out)).isFalse();
      case 8 -> assertThat(scheduler.onLimits(now, job(2), List.of(stage(3)), out)).isFalse();
      case 9 -> assertThat(scheduler.onTaskLimits(now, job(1), absurdLimits(), out)).isFalse();
      case 10 -> assertThat(scheduler.onSubmit(now, header(2, 4), out)).isFalse();
      case 11 -> scheduler.onWaiting(now, id("nobody"), oddInt(), Map.of("ada", oddInt()));
      case 12 -> scheduler.onPause(now, id("a"), "", Map.of(foreignLease(), oddLong()), out);
      default -> {
        scheduler.onTerms(new NodeId("nowhere"), NodeTerms.NONE, out);
        scheduler.onTrust(id("nobody"), oddInt());
        scheduler.onDrain(now, id("nobody"), true, out);
        scheduler.onDisconnect(now, id("nobody"), out);
        assertThat(scheduler.forget(nowhere)).isFalse();
      }
    }
  }

  /** Something that agent a may say of itself, with values that make no sense. */
  private void absurd() {
    AgentId agent = id("a");
    switch (random.nextInt(8)) {
      case 0 -> scheduler.onWaiting(now, agent, oddInt(), Map.of("ada", oddInt(), "x", oddInt()));
      case 1 -> scheduler.onPause(now, agent, "", Map.of(oneOf(leases), oddLong()), out);
      case 2 -> scheduler.onPause(now, agent, random.nextBoolean() ? "" : "why", Map.of(), out);
      case 3 -> {
        List<Lease> held = scheduler.view().leases(agent);
        Lease lease = held.isEmpty() ? foreignLease() : oneOf(held);
        scheduler.onFinished(now, agent, lease, absurdReport(), out);
      }
      case 4 ->
          scheduler.onSignOfLife(
              now, agent, List.of(foreignLease(), oneOf(leases), oneOf(leases)), out);
      case 5 -> {
        int slots = random.nextInt(4);
        List<Lease> held = List.of(oneOf(leases), foreignLease(), oneOf(leases));
        scheduler.onHello(now, agent("a", slots, oddLong(), held), out);
      }
      case 6 -> scheduler.onTrust(agent, oddInt());
      default -> scheduler.onRelease(now, job(1 + random.nextInt(3)), oddInt(), oddInt(), out);
    }
  }

  private Lease foreignLease() {
    Lease some = oneOf(leases);
    return switch (random.nextInt(4)) {
      case 0 -> new Lease(some.task(), new LeaseToken(some.token().value(), 1 + random.nextInt(9)));
      case 1 -> new Lease(some.task(), new LeaseToken(-1 - random.nextInt(9)));
      case 2 -> new Lease(TaskId.of(some.task().job().value(), 1 << 29), some.token());
      default -> new Lease(TaskId.of(oddLong() - 4_000, 0), some.token());
    };
  }

  private AttemptReport absurdReport() {
    AttemptOutcome[] outcomes = AttemptOutcome.values();
    return new AttemptReport(
        outcomes[random.nextInt(outcomes.length)],
        oddInt(),
        oddLong(),
        oddLong(),
        oddLong(),
        oddLong(),
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "",
        oddLong(),
        random.nextBoolean());
  }

  private List<TaskLimits> absurdLimits() {
    TaskLimits urgent = new TaskLimits(0, 4, 10 + random.nextInt(90), null, null, null);
    TaskLimits impatient = new TaskLimits(2, 9, null, -random.nextInt(5), null, null);
    TaskLimits usual = new TaskLimits(5, 9, 4, null, null, null);
    return switch (random.nextInt(3)) {
      case 0 -> List.of(urgent);
      case 1 -> List.of(impatient);
      default -> List.of(usual, usual);
    };
  }

  private <T> T oneOf(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private long oddLong() {
    return ODD_LONGS[random.nextInt(ODD_LONGS.length)];
  }

  private int oddInt() {
    return ODD_INTS[random.nextInt(ODD_INTS.length)];
  }
}
