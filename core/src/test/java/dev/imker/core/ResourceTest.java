package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileSnapshot;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.catalogue.Balanced;
import dev.imker.core.strategy.survival.Survival;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.Platform.Resource;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.job.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks get what they ask for, alone, for as long as they have their lease. */
class ResourceTest extends SchedulerFixture {
  private static final long GIGABYTE = 1L << 30;

  private static Need need(
      double cores, long memoryBytes, double gpus, Map<String, Double> others) {
    return new Need(
        Set.of(),
        Set.of(),
        cores,
        gpus,
        memoryBytes,
        0,
        Set.of(),
        Map.of(),
        0,
        false,
        others,
        false,
        Set.of());
  }

  private static Need cores(double cores) {
    return need(cores, 0, 0, Map.of());
  }

  private static Need gpus(double gpus) {
    return need(0, 0, gpus, Map.of());
  }

  private static Need whole() {
    return new Need(
        Set.of(), Set.of(), 0, 0, 0, 0, Set.of(), Map.of(), 0, true, Map.of(), false, Set.of());
  }

  private static JobHeader job(long id, String project, int tasks, Need... variants) {
    return needing(header(id, project, tasks), new Requirements(List.of(variants)));
  }

  /** A machine that takes as many tasks as its cores allow. */
  private void machine(
      String name, int cores, long memoryBytes, int gpus, Map<String, Resource> others) {
    machine(name, cores, memoryBytes, gpus, others, List.of());
  }

  private void machine(
      String name,
      int cores,
      long memoryBytes,
      int gpus,
      Map<String, Resource> others,
      List<Lease> held) {
    Platform platform =
        new Platform(
            "linux",
            "6",
            "amd64",
            name,
            cores,
            gpus,
            memoryBytes,
            100 * GIGABYTE,
            4000,
            Map.of(),
            Set.of(),
            Map.of(),
            0,
            others);
    AgentHello hello =
        new AgentHello(
            id(name), new NodeId(name), name, "1", platform, Math.max(1, cores), 1, held);
    scheduler.onHello(now, hello.withoutSlotLimit(), out);
  }

  private Map<Lease, Granted> assigned() {
    dispatch();
    Map<Lease, Granted> given = new HashMap<>();
    out.takeAssigned().forEach(one -> given.put(one.lease(), one.granted()));
    return given;
  }

  private void runs(long millis) {
    Lease lease = assigned().keySet().iterator().next();
    finish("a", lease, AttemptOutcome.SUCCEEDED, millis);
    out.assertConfirmed(lease, true);
  }

  @Test
  void two_cores_and_15_of_23_gigabytes_go_to_one_task_at_a_time() {
    machine("a", 2, 23 * GIGABYTE, 0, Map.of());
    submit(job(1, "p", 4, need(2, 15 * GIGABYTE, 0, Map.of())));
    for (int i = 0; i < 4; i++) {
      Map<Lease, Granted> given = assigned();
      assertThat(given).hasSize(1);
      given.forEach(
          (lease, granted) -> {
            assertThat(granted.of("cores")).isEqualTo(200);
            assertThat(granted.of("memory")).isEqualTo(15 * GIGABYTE);
            finishes("a", lease, AttemptOutcome.SUCCEEDED);
          });
    }
    assertThat(count(1, TaskState.DONE)).isEqualTo(4);
  }

  @Test
  void halves_of_two_gpus_serve_four_at_a_time_and_each_is_told_its_device() {
    machine("a", 16, 23 * GIGABYTE, 2, Map.of());
    submit(job(1, "p", 8, gpus(0.5)));
    Map<Lease, Granted> given = assigned();
    assertThat(given).hasSize(4);
    List<String> devices = new ArrayList<>();
    given.values().forEach(granted -> devices.addAll(granted.items("gpus")));
    assertThat(devices).containsExactlyInAnyOrder("0", "0", "1", "1");
    given.keySet().forEach(lease -> finishes("a", lease, AttemptOutcome.SUCCEEDED));
    assertThat(assigned()).hasSize(4);
  }

  @Test
  void whole_devices_are_not_made_of_halves() {
    machine("a", 16, 23 * GIGABYTE, 2, Map.of());
    submit(job(1, "p", 2, gpus(0.5)));
    assertThat(assigned().values())
        .as("parts go to the same device")
        .allSatisfy(granted -> assertThat(granted.items("gpus")).containsExactly("0"));
    submit(job(2, "q", 2, gpus(1)));
    assertThat(assigned().values())
        .singleElement()
        .satisfies(granted -> assertThat(granted.items("gpus")).containsExactly("1"));
    submit(job(3, "r", 1, gpus(2)));
    assertThat(assigned()).isEmpty();
  }

  @Test
  void quarters_of_cores_are_packed_and_a_whole_machine_waits_for_them() {
    machine("a", 2, GIGABYTE, 0, Map.of());
    submit(job(1, "p", 20, cores(0.25)));
    Map<Lease, Granted> quarters = assigned();
    assertThat(quarters).hasSize(8);
    submit(job(2, "q", 1, whole()));
    scheduler.onCancel(now, job(1), 8, 20, out);
    assertThat(assigned()).isEmpty();
    quarters.keySet().forEach(lease -> finishes("a", lease, AttemptOutcome.SUCCEEDED));
    Map<Lease, Granted> all = assigned();
    assertThat(all.values())
        .singleElement()
        .satisfies(granted -> assertThat(granted.of("cores")).isEqualTo(200));
  }

  @Test
  void items_have_names_and_sums_have_none() {
    machine(
        "a",
        16,
        GIGABYTE,
        0,
        Map.of("camera", Resource.of(List.of("left", "right")), "fpga", Resource.of(3)));
    submit(job(1, "p", 3, need(0, 0, 0, Map.of("camera", 1.0))));
    assertThat(assigned().values())
        .extracting(granted -> granted.items("camera"))
        .containsExactlyInAnyOrder(List.of("left"), List.of("right"));
    submit(job(2, "q", 3, need(0, 0, 0, Map.of("fpga", 1.5))));
    assertThat(assigned().values())
        .hasSize(2)
        .allSatisfy(granted -> assertThat(granted.of("fpga")).isEqualTo(150));
  }

  @Test
  void licences_are_counted_over_all_machines_and_a_restart() {
    scheduler.onPoolResources(Map.of("licence", 3.0));
    for (String name : List.of("a", "b", "c")) {
      machine(name, 4, GIGABYTE, 0, Map.of());
    }
    submit(job(1, "p", 9, need(0, 0, 0, Map.of("licence", 1.0))));
    Map<Lease, Granted> running = assigned();
    assertThat(running).hasSize(3);
    assertThat(scheduler.view().poolAmounts())
        .hasEntrySatisfying("licence", amount -> assertThat(amount.free()).isZero());

    List<AttemptStarted> started = out.takeChanges(AttemptStarted.class);
    Scheduler next = scheduler(SchedulerSettings.defaults(), new Balanced());
    next.onPoolResources(Map.of("licence", 3.0));
    next.recovery().job(job(1, "p", 9, need(0, 0, 0, Map.of("licence", 1.0))));
    for (AttemptStarted one : started) {
      next.recovery()
          .lease(
              new Lease(one.task(), one.token()),
              one.agent(),
              one.node(),
              one.attempt(),
              one.atMillis(),
              Granted.parse(one.granted()));
    }
    next.recovery().complete(now);
    scheduler = next;
    machine("d", 4, GIGABYTE, 0, Map.of());
    assertThat(assigned()).as("what runs has its licences still").isEmpty();
    AttemptStarted first = started.getFirst();
    finishes(
        first.agent().value(), new Lease(first.task(), first.token()), AttemptOutcome.SUCCEEDED);
    assertThat(assigned()).hasSize(1);
  }

  @Test
  void the_earlier_variant_is_preferred_and_the_later_one_runs_if_only_it_can() {
    machine("a", 8, GIGABYTE, 1, Map.of());
    submit(job(1, "p", 2, gpus(1), cores(4)));
    List<Granted> given = List.copyOf(assigned().values());
    assertThat(given).extracting(Granted::variant).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void slots_are_an_upper_limit_and_cores_bind() {
    connect("a", 2);
    submit(job(1, "p", 9, cores(0.01)));
    assertThat(assigned()).hasSize(2);
  }

  @Test
  void a_stream_of_small_tasks_does_not_starve_a_large_one() {
    machine("a", 4, GIGABYTE, 0, Map.of());
    submit(header(1, "small", 1000));
    List<Lease> running = new ArrayList<>(assigned().keySet());
    submit(job(2, "large", 1, cores(4)));
    int ends = 0;
    while (count(2, TaskState.RUNNING) == 0 && ends < 100) {
      now += 1000;
      Lease lease = running.removeFirst();
      finish("a", lease, AttemptOutcome.SUCCEEDED, 4000);
      out.assertConfirmed(lease, true);
      running.addAll(assigned().keySet());
      ends++;
    }
    assertThat(ends).as("small tasks that ended before the large one began").isLessThan(60);
    assertThat(count(1, TaskState.DONE)).isEqualTo(ends);
  }

  @Test
  void nor_in_a_pool_of_so_many_machines_that_not_all_are_searched() {
    int machines = 600;
    for (int i = 0; i < machines; i++) {
      machine("m" + i, 2, GIGABYTE, 0, Map.of());
    }
    submit(header(1, "small", 100_000));
    dispatch();
    List<RecordingOutbox.Assigned> running = new ArrayList<>(out.takeAssigned());
    submit(job(2, "large", 1, cores(2)));
    int ends = 0;
    while (count(2, TaskState.RUNNING) == 0 && ends < 10 * machines) {
      now += 10;
      RecordingOutbox.Assigned one = running.removeFirst();
      finish(one.agent().value(), one.lease(), AttemptOutcome.SUCCEEDED, 4000);
      out.assertConfirmed(one.lease(), true);
      dispatch();
      running.addAll(out.takeAssigned());
      ends++;
    }
    assertThat(ends).as("small tasks that ended before").isLessThan(5 * machines);
  }

  @Test
  void a_gap_is_filled_with_tasks_that_end_before() {
    machine("a", 4, GIGABYTE, 0, Map.of());
    // What is known: long ones take a minute, short ones a second.
    submit(header(1, "long", 1));
    runs(60_000);
    submit(header(2, "short", 1));
    runs(1000);
    submit(header(3, "long", 1));
    assertThat(assigned()).hasSize(1);
    now += 1000;
    submit(job(4, "large", 1, cores(4)));
    assertThat(assigned()).isEmpty();
    assertThat(scheduler.view().reservations(now))
        .singleElement()
        .satisfies(one -> assertThat(one.startMillis()).isBetween(now + 1000, now + 61_000));
    submit(header(5, "long", 10));
    assertThat(assigned()).as("would put it off").isEmpty();
    submit(header(6, "short", 10));
    assertThat(assigned()).as("fills the gap").hasSize(3);
  }

  private static Need memory(long bytes, boolean auto, Set<String> byAttempt) {
    return new Need(
        Set.of(), Set.of(), 0, 0, bytes, 0, Set.of(), Map.of(), 0, false, Map.of(), auto,
        byAttempt);
  }

  private AttemptReport took(AttemptOutcome outcome, long peakBytes, boolean outOfMemory) {
    return new AttemptReport(
        outcome,
        outcome == AttemptOutcome.SUCCEEDED ? 0 : 1,
        now - 1000,
        now,
        1000,
        peakBytes,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "",
        0,
        outOfMemory);
  }

  private void ends(Lease lease, AttemptReport report) {
    scheduler.onFinished(now, id("a"), lease, report, out);
    out.assertConfirmed(lease, true);
  }

  @Test
  void amounts_grow_by_attempt_as_the_user_wrote() {
    machine("a", 4, 5 * GIGABYTE, 0, Map.of());
    submit(job(1, "p", 1, memory(2 * GIGABYTE, false, Set.of("memory"))));
    for (long expected : List.of(2L, 4L, 5L)) { // the machine has no more
      Map<Lease, Granted> given = assigned();
      assertThat(given).hasSize(1);
      given.forEach(
          (lease, granted) -> {
            assertThat(granted.of("memory")).isEqualTo(expected * GIGABYTE);
            ends(lease, took(AttemptOutcome.FAILED, GIGABYTE, true));
          });
    }
    assertState(TaskState.AUTO_BLOCKED, 1, 0);
  }

  @Test
  void memory_that_nobody_states_is_learnt_of_tasks_that_ran_the_same() {
    machine("a", 16, 64 * GIGABYTE, 0, Map.of());
    submit(auto(1, "small"));
    ends(only(GIGABYTE), took(AttemptOutcome.SUCCEEDED, GIGABYTE / 4, false));
    submit(auto(2, "large"));
    ends(only(GIGABYTE / 4), took(AttemptOutcome.SUCCEEDED, 8 * GIGABYTE, false));
    submit(auto(3, "small"));
    Lease small = only(GIGABYTE / 4);
    submit(auto(4, "large"));
    Lease large = only(8 * GIGABYTE);
    submit(auto(5, "unknown"));
    only(8 * GIGABYTE);
    ProfileSnapshot kept = scheduler.profiles().snapshot();
    ends(small, took(AttemptOutcome.SUCCEEDED, GIGABYTE / 4, false));
    ends(large, took(AttemptOutcome.SUCCEEDED, 8 * GIGABYTE, false));
    PoolProfile restored = new PoolProfile();
    restored.restore(kept);
    ProjectProfile project = restored.project(new ProjectId("ada", "p"));
    assertThat(project.memoryEstimate("small")).isEqualTo(GIGABYTE / 4);
    assertThat(project.memoryEstimate("large")).isEqualTo(8 * GIGABYTE);
  }

  @Test
  void a_program_is_the_same_with_other_arguments() {
    assertThat(program("python sim.py --x 1"))
        .isEqualTo(program("python", "sim.py", "--x", "2"))
        .isNotEqualTo(program("python other.py --x 1"));
    assertThat(program()).isEmpty();
  }

  private static String program(String... command) {
    Stage stage = Stage.of(List.of(command), List.of());
    JobSpec spec = JobSpec.of("job", "p", JobKind.COMMAND, stage);
    return StageHeader.of(spec).getFirst().program();
  }

  private static JobHeader auto(long id, String program) {
    JobHeader job = job(id, "p", 1, memory(0, true, Set.of()));
    StageHeader stage = job.stages().getFirst();
    return of(
        job,
        List.of(
            new StageHeader(
                1, stage.needs(), stage.rules(), List.of(), JobKind.COMMAND, program, 0)));
  }

  private Lease only(long memoryBytes) {
    Map<Lease, Granted> given = assigned();
    assertThat(given).hasSize(1);
    Map.Entry<Lease, Granted> one = given.entrySet().iterator().next();
    assertThat(one.getValue().of("memory")).isEqualTo(memoryBytes);
    return one.getKey();
  }

  @Test
  void memory_that_nobody_states_is_learnt() {
    machine("a", 16, 16 * GIGABYTE, 0, Map.of());
    submit(job(1, "p", 60, memory(0, true, Set.of())));
    Map<Lease, Granted> first = assigned();
    assertThat(first).as("a gigabyte each while nothing is known").hasSize(16);
    first
        .keySet()
        .forEach(lease -> ends(lease, took(AttemptOutcome.SUCCEEDED, 4 * GIGABYTE, false)));
    Map<Lease, Granted> next = assigned();
    assertThat(next).as("they took four").hasSize(4);
    Lease short0 = next.keySet().iterator().next();
    ends(short0, took(AttemptOutcome.FAILED, 4 * GIGABYTE, true));
    scheduler.checkInvariants();
    next.remove(short0);
    next.keySet()
        .forEach(lease -> ends(lease, took(AttemptOutcome.SUCCEEDED, 3 * GIGABYTE, false)));
    List<Long> given = new ArrayList<>();
    while (count(1, TaskState.DONE) < 60) {
      Map<Lease, Granted> more = assigned();
      assertThat(more).isNotEmpty();
      more.forEach(
          (lease, granted) -> {
            given.add(granted.of("memory") / GIGABYTE);
            ends(lease, took(AttemptOutcome.SUCCEEDED, 3 * GIGABYTE, false));
          });
    }
    assertThat(given).as("the one that was short got twice as much").contains(8L);
    assertThat(scheduler.profiles().node(0).faults()).isZero();
  }

  @Test
  void pieces_are_not_cut_into_more_than_one_and_a_half() {
    machine("a", 16, GIGABYTE, 0, Map.of("camera", Resource.of(List.of("left", "right"))));
    submit(job(1, "p", 1, need(0, 0, 0, Map.of("camera", 1.5))));
    submit(job(2, "q", 2, need(0, 0, 0, Map.of("camera", 1.0))));
    assertThat(assigned()).as("the first one fits nowhere and holds up nobody").hasSize(2);
  }

  @Test
  void what_had_pieces_and_is_a_sum_now_comes_back_as_a_sum() {
    machine("a", 16, GIGABYTE, 0, Map.of("camera", Resource.of(List.of("left", "right"))));
    submit(job(1, "p", 3, need(0, 0, 0, Map.of("camera", 1.0))));
    Map<Lease, Granted> before = assigned();
    assertThat(before).hasSize(2);
    machine("a", 16, GIGABYTE, 0, Map.of("camera", Resource.of(2)), List.copyOf(before.keySet()));
    before.keySet().forEach(lease -> finishes("a", lease, AttemptOutcome.SUCCEEDED));
    assertThat(assigned()).hasSize(1);
    machine("a", 16, GIGABYTE, 0, Map.of("camera", Resource.of(List.of("left", "right"))));
  }

  @Test
  void machines_that_go_away_are_not_kept_for_a_gang() {
    machine("a", 2, GIGABYTE, 0, Map.of());
    machine("b", 2, GIGABYTE, 0, Map.of());
    submit(header(1, "small", 1000));
    Map<Lease, Granted> running = assigned();
    submit(staged(2, ruled(stage(2), stage(2).rules().with(rules -> rules.gang = true))));
    assertThat(assigned()).isEmpty();
    now += 60_000;
    List<Lease> held = List.copyOf(running.keySet());
    for (String name : List.of("a", "b")) {
      scheduler.onSignOfLife(now, id(name), held, out);
    }
    out.takeAll();
    assertThat(assigned()).isEmpty();
    assertThat(scheduler.view().reservations(now)).isNotEmpty();
    NodeId kept = scheduler.view().reservations(now).getFirst().node();
    String gone = kept.value();
    scheduler.onDrain(now, id(gone), true, out);
    assertThat(assigned()).isEmpty();
    assertThat(scheduler.view().reservations(now))
        .isNotEmpty()
        .allSatisfy(one -> assertThat(one.node()).isNotEqualTo(kept));
  }

  @Test
  void machines_that_are_too_full_for_all_that_waits_are_asked_when_something_else_does() {
    int machines = 70; // of fewer, all are asked again and again
    for (int i = 0; i < machines; i++) {
      machine("m" + i, 3, GIGABYTE, 0, Map.of());
    }
    submit(job(1, "large", 2 * machines, cores(2)));
    assertThat(assigned()).as("one each, and a core is left").hasSize(machines);
    submit(job(2, "half", 40, cores(0.5)));
    assertThat(assigned()).hasSize(40);
    submit(job(3, "small", 2 * machines, cores(1)));
    assertThat(assigned()).as("but where the halves are").hasSize(machines - 40);
    submit(job(4, "half", 60, cores(0.5)));
    assertThat(assigned()).hasSize(40);
    scheduler.onCancel(now, new JobId(1), machines, 2 * machines, out);
    assertThat(assigned()).isEmpty();
  }

  @Test
  void a_user_who_may_run_more_again_brings_the_same_projects_into_play() {
    machine("a", 8, GIGABYTE, 0, Map.of());
    scheduler.onQuota("ada", 1);
    submit(job(1, "p", 2, cores(2)));
    submit(job(2, "q", 2, cores(1)));
    assertThat(assigned()).hasSize(1);
    scheduler.onQuota("ada", 3);
    assertThat(assigned()).hasSize(2);
    scheduler.onQuota("ada", 4);
    assertThat(assigned()).hasSize(1);
  }

  private Map<String, Integer> coresByUser(Map<Lease, Granted> given, JobHeader... jobs) {
    Map<String, Integer> cores = new TreeMap<>();
    for (JobHeader job : jobs) {
      given.forEach(
          (lease, granted) -> {
            if (lease.task().job().equals(job.id())) {
              cores.merge(job.project().user(), (int) granted.of("cores") / 100, Integer::sum);
            }
          });
    }
    return cores;
  }

  private static JobHeader of(String user, long id, Need need) {
    return new JobHeader(
        new JobId(id),
        new ProjectId(user, "p" + id),
        64,
        new Requirements(List.of(need)),
        4,
        5,
        0,
        false);
  }

  @Test
  void users_share_a_machine_by_cores_and_not_by_tasks() {
    for (Strategy strategy : List.of(new Balanced(), new Survival(1))) {
      scheduler = scheduler(SchedulerSettings.defaults(), strategy);
      machine("a", 64, 64 * GIGABYTE, 0, Map.of());
      JobHeader large = of("ada", 1, cores(8));
      JobHeader small = of("bob", 2, cores(1));
      submit(large);
      submit(small);
      assertThat(coresByUser(assigned(), large, small))
          .as(strategy.name())
          .isEqualTo(Map.of("ada", 32, "bob", 32));
    }
  }

  @Test
  void a_gpu_counts_for_eight_cores() {
    machine("a", 48, 64 * GIGABYTE, 2, Map.of());
    JobHeader gpus = of("ada", 1, gpus(1));
    JobHeader more = of("ada", 2, cores(1));
    JobHeader cores = of("bob", 3, cores(1));
    submit(gpus);
    submit(more);
    submit(cores);
    Map<String, Integer> given = coresByUser(assigned(), gpus, more, cores);
    assertThat(given).as("two GPUs for 16 cores").isEqualTo(Map.of("ada", 16, "bob", 32));
  }

  @Test
  void where_gpus_are_free_those_who_wait_for_them_come_first() {
    machine("with", 4, 64 * GIGABYTE, 4, Map.of());
    submit(job(1, "cores", 100, cores(1)));
    submit(job(2, "gpus", 3, gpus(1)));
    Map<Lease, Granted> given = assigned();
    assertThat(given).hasSize(4);
    assertThat(given.keySet().stream().filter(lease -> lease.task().job().value() == 2)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cores", "gpus"})
  void those_who_wait_for_gpus_do_not_starve_others(String project) {
    machine("with", 1, 64 * GIGABYTE, 1, Map.of());
    submit(job(1, project, 1, cores(1)));
    submit(job(2, "gpus", 1000, gpus(1)));
    int began = 0;
    for (boolean found = false; !found; began++) {
      assertThat(began).as("tasks before it").isLessThan(100);
      Lease lease = assigned().keySet().iterator().next();
      found = lease.task().job().value() == 1;
      finishes("with", lease, AttemptOutcome.SUCCEEDED);
    }
  }

  @Test
  void urgent_tasks_come_before_those_of_their_project_that_wait_for_gpus() {
    machine("with", 8, 64 * GIGABYTE, 8, Map.of());
    submit(prioritised(0, job(1, "p", 1000, gpus(1))));
    Set<Lease> running = new HashSet<>(assigned().keySet());
    assertThat(running).hasSize(8);
    submit(prioritised(9, job(2, "p", 1, cores(8))));
    int began = 0;
    while (running.stream().noneMatch(lease -> lease.task().job().value() == 2)) {
      assertThat(began).as("tasks before it").isLessThan(100);
      Lease ended = running.iterator().next();
      running.remove(ended);
      now += 20_000;
      finishes("with", ended, AttemptOutcome.SUCCEEDED);
      scheduler.onSignOfLife(now, id("with"), List.copyOf(running), out);
      running.addAll(assigned().keySet());
      began++;
    }
  }

  private static JobHeader prioritised(int priority, JobHeader job) {
    return new JobHeader(job.id(), job.project(), priority, job.stages(), job.onFailure());
  }
}
