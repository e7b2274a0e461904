package dev.imker.agent.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.system.GroupFolder;
import dev.imker.agent.internal.system.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real control groups with real processes, where this system lets us make them. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class TaskGroupTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;
  private ControlGroups groups;

  /** Runs on, each time as another process without session, parent or mark in common. */
  private static final String HOPPER =
      "echo $$ >> trace; sleep 0.01; setsid env -i PATH=/usr/bin:/bin sh ./hop & exit 0";

  /** Begins once the task is in its group. */
  private static final String HOPPING = "while [ ! -e begin ]; do sleep 0.02; done; sh ./hop; ";

  @BeforeEach
  void findGroups() throws IOException {
    assumeTrue(PosixSpawnExecutor.isSupported());
    ControlGroups.Attempt attempt = ControlGroups.find();
    assumeTrue(attempt.groups().isPresent(), attempt.inWords());
    groups = attempt.groups().orElseThrow();
    Files.writeString(folder.resolve("hop"), HOPPER);
  }

  private TaskProcess start(
      String lease, ProcessLimits limits, CompletableFuture<ProcessExit> exit, String line) {
    Map<String, String> env =
        new HashMap<>(Map.of("PATH", "/usr/bin:/bin", ProcessSpec.MARK, lease));
    ProcessSpec spec =
        new ProcessSpec(
            List.of("/bin/sh", "-c", line),
            env,
            folder,
            folder.resolve("out-" + lease),
            folder.resolve("err-" + lease),
            ProcessPriority.LOWEST);
    return PosixSpawnExecutor.shared().start(spec.with(limits), exit::complete);
  }

  private void letHop(String lease) throws IOException {
    await().atMost(PATIENCE).until(() -> groupsOf(lease).size() == 1);
    Path procs = groupsOf(lease).getFirst().resolve("cgroup.procs");
    await().atMost(PATIENCE).until(() -> !Files.readString(procs).isEmpty());
    Files.createFile(folder.resolve("begin"));
    await().atMost(PATIENCE).until(() -> hops() > 20);
  }

  private long hops() throws IOException {
    Path trace = folder.resolve("trace");
    return Files.exists(trace) ? Files.size(trace) : 0;
  }

  private List<Path> groupsOf(String lease) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(groups.folder())) {
      String own = "." + ProcFs.self() + "-"; // others may run these tests beside us
      all.filter(path -> path.getFileName().toString().startsWith("imker." + lease + "."))
          .filter(path -> path.getFileName().toString().contains(own))
          .forEach(found::add);
    }
    return found;
  }

  @Test
  void what_runs_away_from_a_task_is_killed_with_it() throws Exception {
    CompletableFuture<ProcessExit> bystander = new CompletableFuture<>();
    TaskProcess other = start("by", ProcessLimits.NONE, bystander, "exec sleep 600");
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess task = start("run", ProcessLimits.NONE, exit, HOPPING + "exec sleep 600");
    letHop("run");
    task.kill();
    exit.get(60, TimeUnit.SECONDS);
    long last = hops();
    await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> hops() == last);
    assertThat(groupsOf("run")).isEmpty();
    assertThat(bystander).isNotDone();
    other.kill();
    bystander.get(60, TimeUnit.SECONDS);
  }

  @Test
  void what_ran_away_is_also_gone_when_the_task_ends_by_itself() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    start("self", ProcessLimits.NONE, exit, HOPPING + "while [ ! -e go ]; do sleep 0.02; done");
    letHop("self");
    Files.createFile(folder.resolve("go"));
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    long last = hops();
    await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> hops() == last);
    assertThat(groupsOf("self")).isEmpty();
  }

  @Test
  void a_frozen_task_stands_still_wherever_its_processes_went() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess task = start("ice", ProcessLimits.NONE, exit, HOPPING + "exec sleep 600");
    letHop("ice");
    assertThat(task.freeze(true)).isTrue();
    Path group = groupsOf("ice").getFirst();
    await()
        .atMost(PATIENCE)
        .until(() -> Files.readString(group.resolve("cgroup.events")).contains("frozen 1"));
    long still = hops();
    await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> hops() == still);
    assertThat(task.freeze(false)).isTrue();
    await().atMost(PATIENCE).until(() -> hops() > still);
    task.freeze(true);
    task.kill();
    exit.get(60, TimeUnit.SECONDS);
    assertThat(groupsOf("ice")).isEmpty();
  }

  @Test
  void processor_time_of_a_killed_tree_is_counted_in_full() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    String burn = "setsid sh -c 'while :; do :; done' & setsid sh -c 'while :; do :; done' & wait";
    TaskProcess task = start("burn", ProcessLimits.NONE, exit, burn);
    await().atMost(PATIENCE).until(() -> groupsOf("burn").size() == 1);
    TaskGroup group = new TaskGroup(new GroupFolder(groupsOf("burn").getFirst()));
    await().atMost(PATIENCE).until(() -> group.cpuMicros() > 500_000);
    long seenMicros = group.cpuMicros();
    task.kill();
    assertThat(exit.get(60, TimeUnit.SECONDS).cpuMillis())
        .isGreaterThanOrEqualTo(seenMicros / 1000);
  }

  @Test
  void a_limited_task_is_in_its_group_from_the_start() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    ProcessLimits limits = new ProcessLimits(0, 3600, 0, 0, 0);
    TaskProcess task = start("limited", limits, exit, "exec sleep 600");
    TaskGroup group = new TaskGroup(new GroupFolder(groupsOf("limited").getFirst()));
    assertThat(group.processes()).contains((int) task.pid());
    task.kill();
    exit.get(60, TimeUnit.SECONDS);
  }

  @Test
  void empty_groups_of_agents_that_are_no_more_are_removed() throws Exception {
    Process gone = new ProcessBuilder("true").start();
    gone.waitFor();
    Path left = Files.createDirectory(groups.folder().resolve("imker.x.1." + gone.pid() + "-1"));
    Path used = Files.createDirectory(groups.folder().resolve("imker.x.1." + ProcFs.self() + "-9"));
    assertThat(ControlGroups.find().groups()).isPresent();
    assertThat(left).doesNotExist();
    assertThat(used).exists();
    Files.delete(used);
  }

  @Test
  void groups_that_an_earlier_life_left_are_emptied_and_removed() throws Exception {
    TaskGroup left = groups.make("dead:1", ProcessLimits.NONE, ProcessPriority.NORMAL);
    TaskGroup others = groups.make("dead-not:1", ProcessLimits.NONE, ProcessPriority.NORMAL);
    Process process = new ProcessBuilder("sleep", "600").start();
    assertThat(left.add((int) process.pid())).isTrue();
    left.freeze(true);
    groups.killLeftovers("dead:");
    assertThat(process.waitFor()).isEqualTo(137);
    assertThat(groupsOf("dead")).isEmpty();
    assertThat(groupsOf("dead-not")).hasSize(1);
    assertThat(others.remove()).isTrue();
  }
}
