package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.PosixSpawnExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessLimits;
import dev.imker.agent.internal.process.ProcessPriority;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tries to break out. Skipped, saying why, where the system forbids sandboxes. */
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@MethodSource("makers")
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class BubblewrapTest {
  private static final String PATH = "/usr/local/bin:/usr/bin:/bin";

  @Parameter SandboxMaker maker;
  @TempDir Path folder;
  private final Programs programs = new Programs(PATH);
  private final Optional<TaskUser> user = TaskUser.find(programs);
  private Bubblewrap sandbox;
  private Path work;
  private Path temporary;

  static List<SandboxMaker> makers() {
    return SandboxMakers.all();
  }

  @BeforeEach
  void setUp() throws IOException {
    Bubblewrap.Attempt attempt =
        Bubblewrap.find(List.of(maker), SystemView.Wanted.showing(), user, Optional.empty());
    assumeTrue(attempt.sandbox().isPresent(), attempt.reason());
    sandbox = attempt.sandbox().orElseThrow();
    work = Files.createDirectory(folder.resolve("work"));
    temporary = Files.createDirectory(folder.resolve("temporary"));
    if (user.isPresent()) {
      user.get().give(work);
      user.get().give(temporary);
    }
  }

  private ProcessSpec spec(String... command) {
    return new ProcessSpec(
        List.of(command),
        Map.of("PATH", PATH, "HOME", work.toString(), "TMPDIR", temporary.toString()),
        work,
        folder.resolve("out"),
        folder.resolve("err"),
        ProcessPriority.LOWEST);
  }

  private ProcessExit run(boolean network, String line) throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    start(network, line, exit);
    return exit.get(60, TimeUnit.SECONDS);
  }

  private TaskProcess start(boolean network, String line, CompletableFuture<ProcessExit> exit) {
    Confinement.Room room = new Confinement.Room(work, temporary, network, user);
    ProcessSpec confined = sandbox.confine(spec("/bin/sh", "-c", line), room);
    return PosixSpawnExecutor.shared().start(confined, exit::complete);
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  @Test
  void a_folder_has_the_name_that_the_job_wants() throws Exception {
    Files.writeString(work.resolve("input"), "42\n");
    Confinement.Room room =
        new Confinement.Room(work, temporary, false, "year/run-7", Map.of(), Map.of(), user);
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    ProcessSpec spec = spec("/bin/sh", "-c", "pwd; echo $HOME; cat input; echo x > result");
    PosixSpawnExecutor.shared().start(sandbox.confine(spec, room), exit::complete);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(out()).isEqualTo("/work/year/run-7\n/work/year/run-7\n42\n");
    assertThat(work.resolve("result")).hasContent("x");
  }

  @Test
  void a_task_works_in_its_folder_and_its_exit_code_is_its_own() throws Exception {
    Files.writeString(work.resolve("input"), "42\n");
    ProcessExit exit = run(false, "cat input; echo x > result; echo y > $TMPDIR/t; pwd; exit 7");
    assertThat(exit.exitCode()).isEqualTo(7);
    assertThat(out()).isEqualTo("42\n/work\n");
    assertThat(work.resolve("result")).hasContent("x");
    assertThat(temporary.resolve("t")).hasContent("y");
  }

  /** Runs something in it, with other words before those of the program that makes it. */
  private ProcessExit runBehind(List<String> words, String... command) throws Exception {
    ProcessSpec confined =
        sandbox.confine(spec(command), new Confinement.Room(work, temporary, false, user));
    List<String> all = new ArrayList<>(words);
    all.addAll(confined.command());
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    PosixSpawnExecutor.shared()
        .start(confined.by(all, confined.env(), confined.handed()), exit::complete);
    return exit.get(60, TimeUnit.SECONDS);
  }

  @Test
  @Attack("write to a disk that is mounted below a visible folder while the task runs")
  void mounts_that_are_made_later_do_not_appear() throws Exception {
    assumeTrue(maker.own(), "bubblewrap lets them appear");
    assumeTrue(TaskUser.isRoot(), "only root shares mounts");
    List<String> sharing = List.of("/usr/bin/unshare", "--mount", "--propagation", "shared", "--");
    assertThat(runBehind(sharing, "/bin/cat", "/proc/self/mountinfo").exitCode()).isZero();
    assertThat(out()).contains(" /usr ").doesNotContain(" master:").doesNotContain(" shared:");
  }

  @Test
  void who_is_told_to_end_before_there_is_a_task_ends() throws Exception {
    assumeTrue(maker.own(), "bubblewrap leaves signals as they are");
    assumeTrue(programs.find("python3").isPresent(), "there is no Python to hold a signal back");
    String told =
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [15]);"
            + " os.kill(os.getpid(), 15); os.execv(sys.argv[1], sys.argv[1:])";
    String python = programs.find("python3").orElseThrow().toString();
    assertThat(runBehind(List.of(python, "-c", told), "/bin/echo", "ran").exitCode())
        .isEqualTo(143);
    assertThat(out()).isEmpty();
  }

  @Test
  void a_script_without_a_first_line_is_the_shells() throws Exception {
    Path script = Files.writeString(work.resolve("script"), "echo \"$1\"; exit 3\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(runBehind(List.of(), "./script", "a  b").exitCode()).isEqualTo(3);
    assertThat(out()).isEqualTo("a  b\n");
  }

  @Test
  @Attack("run code outside the sandbox through LD_PRELOAD")
  void nothing_of_the_job_reaches_the_program_that_makes_the_sandbox() throws Exception {
    Map<String, String> env = new HashMap<>(spec("true").env());
    env.putAll(Map.of("LD_PRELOAD", "./x.so", "SECRET", "hush", ProcessSpec.MARK, "lease"));
    ProcessSpec wanted =
        new ProcessSpec(
            List.of("/bin/true"),
            env,
            work,
            folder.resolve("out"),
            folder.resolve("err"),
            ProcessPriority.NORMAL);
    ProcessSpec confined =
        sandbox.confine(wanted, new Confinement.Room(work, temporary, false, user));
    assertThat(confined.env()).containsOnlyKeys(ProcessSpec.MARK);
    assertThat(confined.folder()).isEqualTo(Path.of("/"));
    assertThat(confined.command()).noneMatch(word -> word.contains("hush"));
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    PosixSpawnExecutor.shared().start(confined, exit::complete);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    // The loader complains of a library that is not there in every program that it is asked for.
    assertThat(Files.readAllLines(folder.resolve("err"))).hasSize(1);
  }

  @Test
  @Attack("use up the kernel's limits per user with the user id of another sandboxed task")
  void tasks_at_a_time_are_different_users_under_root() throws Exception {
    assumeTrue(user.isPresent(), "only root gives tasks numbers");
    TaskUser one = sandbox.user().orElseThrow();
    TaskUser other = sandbox.user().orElseThrow();
    try {
      one.give(work);
      one.give(temporary);
      Confinement.Room room = new Confinement.Room(work, temporary, false, Optional.of(one));
      CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
      PosixSpawnExecutor.shared()
          .start(sandbox.confine(spec("/bin/sh", "-c", "id -u; id -g; :>x"), room), exit::complete);
      assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
      assertThat(out()).isEqualTo(one.id() + "\n" + one.id() + "\n");
      assertThat(other.id()).isNotEqualTo(one.id());
    } finally {
      one.release();
      sandbox.close();
    }
  }

  @Test
  void every_variable_arrives_as_it_is() throws Exception {
    Map<String, String> env = new HashMap<>(spec("env").env());
    env.putAll(
        Map.of("QUOTES", "a'b\"c $HOME `x`", "LINES", "a\nb\n", "odd.name", "1", "UID", "7"));
    ProcessSpec wanted =
        new ProcessSpec(
            List.of("env", "-0"),
            env,
            work,
            folder.resolve("out"),
            folder.resolve("err"),
            ProcessPriority.NORMAL);
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    PosixSpawnExecutor.shared()
        .start(
            sandbox.confine(wanted, new Confinement.Room(work, temporary, false, user)),
            exit::complete);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(out().split("\0"))
        .contains("QUOTES=a'b\"c $HOME `x`", "LINES=a\nb\n", "odd.name=1", "UID=7", "HOME=/work");
  }

  @Test
  void a_hidden_folder_does_not_exist_below_a_shown_one_but_software_in_it_does() throws Exception {
    Path shown = Files.createDirectory(folder.resolve("shown"));
    Path hidden = Files.createDirectory(shown.resolve("hidden"));
    Files.writeString(hidden.resolve("token"), "secret");
    Path software = Files.writeString(hidden.resolve("jar"), "software");
    SystemView.Wanted wanted =
        new SystemView.Wanted(List.of(shown), List.of(hidden), List.of(software));
    sandbox =
        Bubblewrap.find(List.of(maker), wanted, user, Optional.empty()).sandbox().orElseThrow();
    run(false, "cat " + hidden + "/*; echo x > " + hidden + "/new || echo no");
    assertThat(out()).isEqualTo("softwareno\n");
  }

  @Test
  void shared_memory_lies_in_the_folder_that_is_limited() throws Exception {
    run(false, "echo x > /dev/shm/file; echo y > /var/tmp/other");
    assertThat(temporary.resolve("file")).hasContent("x");
    assertThat(temporary.resolve("other")).hasContent("y");
  }

  @Test
  void cpu_time_is_counted() throws Exception {
    String loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
    assertThat(run(false, loop).cpuMillis()).isPositive();
  }

  @Test
  void limits_of_the_system_hold_inside() throws Exception {
    ProcessLimits limits = new ProcessLimits(0, 30, 0, 40, 0);
    ProcessSpec limited = spec("/bin/sh", "-c", "ulimit -n; ulimit -t").with(limits);
    Confinement.Room room = new Confinement.Room(work, temporary, false, user);
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    PosixSpawnExecutor.shared().start(sandbox.confine(limited, room), exit::complete);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(out()).isEqualTo("40\n30\n");
  }

  @Test
  @Attack("change the system and read home directories")
  void the_system_is_read_only_and_homes_do_not_exist() throws Exception {
    run(
        false,
        "echo x > /usr/broken || echo no; echo x > /etc/broken || echo no; ls -a /root /home");
    assertThat(out()).isEqualTo("no\nno\n");
    assertThat(Path.of("/usr/broken")).doesNotExist();
  }

  @Test
  @Attack("read files of other tasks and of the agent")
  void files_of_other_tasks_and_of_the_agent_do_not_exist() throws Exception {
    Path secret = Files.writeString(folder.resolve("token"), "secret");
    run(false, "cat " + secret + "; ls " + folder + "; cat /etc/shadow; echo end");
    assertThat(out()).isEqualTo("end\n");
  }

  @Test
  @Attack("see, kill and inspect processes of others")
  void other_processes_can_be_neither_seen_nor_killed_nor_asked_for_their_environment()
      throws Exception {
    long agent = ProcessHandle.current().pid();
    run(
        false,
        "ls /proc | grep -c '^[0-9]'; kill -9 "
            + agent
            + " || echo cannot; cat /proc/"
            + agent
            + "/environ || echo unseen; kill -9 -1; echo alive");
    assertThat(out().lines().skip(1)).startsWith("cannot", "unseen");
    assertThat(Integer.parseInt(out().lines().findFirst().orElseThrow())).isLessThan(8);
  }

  @Test
  void there_is_no_network_unless_it_is_granted() throws Exception {
    String line = "grep -v -e lo: -e '|' /proc/net/dev | wc -l";
    run(false, line);
    assertThat(out().strip()).isEqualTo("0");
    long outside = Files.readAllLines(Path.of("/proc/net/dev")).size() - 3L;
    run(true, line);
    assertThat(Long.parseLong(out().strip())).isEqualTo(outside);
  }

  @Test
  @Attack("outlive the task after it was killed")
  void killing_a_task_ends_all_of_its_sandbox() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process =
        start(false, "setsid sleep 987654 & setsid setsid sleep 987655 & wait", exit);
    await().until(() -> sleeping().size() == 2);
    process.kill();
    exit.get(60, TimeUnit.SECONDS);
    await().until(() -> sleeping().isEmpty());
  }

  @Test
  void a_sandbox_ends_with_the_program_that_makes_it() throws Exception {
    assumeTrue(maker.own(), "bubblewrap is not asked to");
    // The output ends when nobody is left who could write to it.
    String kill =
        "pid=$1; shift; { sh -c 'echo $$ >\"$0\"; exec \"$@\"' \"$pid\" \"$@\"; } |"
            + " { read -r _; kill -9 $(cat \"$pid\"); timeout 20 cat; echo $?; }";
    List<String> killing = List.of("/bin/sh", "-c", kill, "sh", folder.resolve("pid").toString());
    runBehind(killing, "/bin/sh", "-c", "echo up; sleep 987654");
    assertThat(out()).isEqualTo("0\n");
  }

  @Test
  void a_sandbox_does_not_go_on_when_the_program_that_makes_it_is_killed_at_any_moment()
      throws Exception {
    assumeTrue(maker.own(), "bubblewrap is not asked to");
    assumeTrue(programs.find("python3").isPresent(), "there is no Python to kill at a moment");
    String killing = Path.of("src/test/resources/killed_makers.py").toAbsolutePath().toString();
    Process killer =
        new ProcessBuilder("python3", killing, maker.program(), "200")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(killer.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("0\n");
  }

  @Test
  @Attack("outlive the task in the background")
  void what_is_left_in_the_background_ends_with_the_task() throws Exception {
    assertThat(run(false, "setsid sleep 987654 & exit 3").exitCode()).isEqualTo(3);
    await().until(() -> sleeping().isEmpty());
  }

  @Test
  @Attack("leave something in a sandbox for the next task in the same slot")
  void nothing_that_a_task_leaves_behind_is_there_for_the_next() throws Exception {
    assumeTrue(programs.find("python3").isPresent(), "there is no Python for the attempts");
    Path script = Path.of("src/test/resources/leftovers.py");
    Files.copy(script, work.resolve("leftovers.py"));
    assertThat(run(false, "LEFT=behind python3 leftovers.py leave").exitCode()).isZero();
    assertThat(out().lines())
        .containsExactly(
            "process", "shared memory", "message queue", "abstract socket", "port", "file");
    // The next task in the slot has folders of its own, under the same paths inside.
    work = Files.createDirectory(folder.resolve("next-work"));
    temporary = Files.createDirectory(folder.resolve("next-temporary"));
    Files.copy(script, work.resolve("leftovers.py"));
    if (user.isPresent()) {
      user.get().give(work);
      user.get().give(temporary);
    }
    assertThat(run(false, "python3 leftovers.py find").exitCode()).isZero();
    assertThat(out()).isEqualTo("looked\n");
    assertThat(sleeping()).isEmpty();
  }

  private static List<ProcessHandle> sleeping() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.info().commandLine().orElse("").contains("98765"))
        .filter(one -> one.info().command().orElse("").endsWith("sleep"))
        .toList();
  }

  @Test
  void a_program_that_cannot_be_run_is_named() {
    Confinement.Room room = new Confinement.Room(work, temporary, false, user);
    assertThatThrownBy(() -> sandbox.confine(spec("no-such-program"), room))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("There is no program no-such-program on this node");
    assertThatThrownBy(() -> sandbox.confine(spec("./missing"), room))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("./missing");
    Path outside = folder.resolve("out");
    assertThatThrownBy(
            () -> {
              Files.writeString(outside, "x");
              sandbox.confine(spec(outside.toString()), room);
            })
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("is not visible in the sandbox");
  }

  @Test
  void a_folder_that_the_owner_shows_can_be_read_but_not_written() throws Exception {
    Path shown = Files.createDirectory(folder.resolve("shown"));
    Files.writeString(shown.resolve("data"), "42\n");
    sandbox =
        Bubblewrap.find(List.of(maker), SystemView.Wanted.showing(shown), user, Optional.empty())
            .sandbox()
            .orElseThrow();
    run(false, "cat " + shown + "/data; echo 43 > " + shown + "/data || echo no");
    assertThat(out()).isEqualTo("42\nno\n");
  }
}
