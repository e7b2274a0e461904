package dev.imker.agent.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.agent.internal.system.ProcFs;
import dev.imker.agent.internal.system.StartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every executor promises, tried with real processes. */
abstract class ProcessExecutorContract {
  @TempDir Path folder;
  final ProcessExecutor executor = executor();
  final Map<String, String> env = new HashMap<>();

  abstract ProcessExecutor executor();

  @BeforeEach
  void givePath() {
    env.put("PATH", "/usr/local/bin:/usr/bin:/bin");
  }

  ProcessSpec spec(String... command) {
    return new ProcessSpec(
        List.of(command),
        env,
        work(),
        folder.resolve("out"),
        folder.resolve("err"),
        ProcessPriority.LOWEST);
  }

  Path work() {
    try {
      return Files.createDirectories(folder.resolve("work"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  ProcessExit run(String... command) throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    executor.start(spec(command), exit::complete);
    return exit.get(60, TimeUnit.SECONDS);
  }

  String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  @Test
  void captures_both_streams_and_the_exit_code() throws Exception {
    ProcessExit exit = run("/bin/sh", "-c", "echo to out; echo to err >&2; exit 7");
    assertThat(exit.exitCode()).isEqualTo(7);
    assertThat(exit.signal()).isZero();
    assertThat(out()).isEqualTo("to out\n");
    assertThat(folder.resolve("err")).hasContent("to err");
  }

  @Test
  void runs_in_the_given_folder_with_exactly_the_given_environment() throws Exception {
    env.put("GREETING", "hello world; $HOME");
    run("/usr/bin/env");
    assertThat(out().lines())
        .containsExactlyInAnyOrder(
            "GREETING=hello world; $HOME", "PATH=/usr/local/bin:/usr/bin:/bin");
    run("pwd");
    assertThat(out().strip()).isEqualTo(work().toRealPath().toString());
  }

  @Test
  void passes_arguments_on_unchanged() throws Exception {
    run("printf", "[%s]", "a b", "", "*", "$X", "ü", "'\"\\");
    assertThat(out()).isEqualTo("[a b][][*][$X][ü]['\"\\]");
  }

  @Test
  void gives_a_file_to_read() throws Exception {
    Path words = Files.writeString(folder.resolve("words"), "b\na\n");
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    executor.start(spec("sort").reading(words), exit::complete);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(out()).isEqualTo("a\nb\n");
  }

  @Test
  void gives_nothing_to_read() throws Exception {
    assertThat(run("cat").exitCode()).isZero();
    assertThat(out()).isEmpty();
  }

  @Test
  void reports_the_signal_that_ended_a_process() throws Exception {
    ProcessExit exit = run("/bin/sh", "-c", "kill -SEGV $$");
    assertThat(exit.signal()).isEqualTo(11);
    assertThat(exit.exitCode()).isEqualTo(139);
  }

  @Test
  void finds_programs_in_the_path_of_the_task() throws Exception {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path tool = Files.writeString(tools.resolve("mytool"), "#!/bin/sh\necho found $1\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    env.put("PATH", tools + ":/usr/bin:/bin");
    assertThat(run("mytool", "me").exitCode()).isZero();
    assertThat(out()).isEqualTo("found me\n");
  }

  @Test
  void runs_a_program_of_the_work_folder() throws Exception {
    Path tool = Files.writeString(work().resolve("tool.sh"), "#!/bin/sh\necho local\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));
    assertThat(run("./tool.sh").exitCode()).isZero();
    assertThat(out()).isEqualTo("local\n");
  }

  @Test
  void a_frozen_task_does_nothing_until_it_goes_on() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    String line = "while [ ! -e go ]; do echo >> ticks; sleep 0.01; done";
    TaskProcess process = executor.start(spec("/bin/sh", "-c", line), exit::complete);
    Path ticks = work().resolve("ticks");
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(ticks));
    assertThat(process.freeze(true)).isTrue();
    long[] size = {-1};
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(300))
        .until(() -> size[0] == (size[0] = Files.size(ticks)));
    Files.createFile(work().resolve("go"));
    assertThat(exit).isNotDone();
    assertThat(process.freeze(false)).isTrue();
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isZero();
  }

  @Test
  void a_frozen_task_can_be_ended() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process = executor.start(spec("sleep", "600"), exit::complete);
    process.freeze(true);
    process.terminate(120_000);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(143);
  }

  @Test
  void says_which_program_is_missing() {
    assertThatThrownBy(() -> run("no-such-program-here"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("no-such-program-here");
    assertThatThrownBy(() -> run("./no-such-file"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("no-such-file");
  }

  @Test
  void refuses_a_nul_character() {
    assertThatThrownBy(() -> run("printf", "a\0b")).isInstanceOf(StartFailedException.class);
  }

  @Test
  void kill_ends_the_whole_tree() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process =
        executor.start(
            spec("/bin/sh", "-c", "sleep 600 & (sleep 600 & echo $!; wait) & echo $!; wait"),
            exit::complete);
    await().until(() -> out().lines().count() == 2);
    List<Long> pids = new ArrayList<>(out().lines().map(Long::valueOf).toList());
    pids.add(process.pid());
    process.kill();
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(137);
    await().untilAsserted(() -> assertThat(pids).noneMatch(ProcessExecutorContract::alive));
  }

  @Test
  void terminate_lets_a_process_tidy_up() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process =
        executor.start(
            spec(
                "/bin/sh",
                "-c",
                "trap 'echo tidy; exit 3' TERM; echo ready; while :; do sleep 0.01; done"),
            exit::complete);
    await().until(() -> out().contains("ready"));
    process.terminate(120_000);
    assertThat(exit.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(3);
    assertThat(out()).endsWith("tidy\n");
  }

  @Test
  void terminate_kills_what_does_not_listen() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process =
        executor.start(
            spec("/bin/sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"),
            exit::complete);
    await().until(() -> out().contains("ready"));
    process.terminate(50);
    assertThat(exit.get(60, TimeUnit.SECONDS).signal()).isEqualTo(9);
  }

  @Test
  void many_processes_at_once_are_all_reported() throws Exception {
    List<CompletableFuture<ProcessExit>> exits = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
      exits.add(exit);
      executor.start(spec("/bin/sh", "-c", "exit " + i % 100), exit::complete);
    }
    for (int i = 0; i < 200; i++) {
      assertThat(exits.get(i).get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(i % 100);
    }
  }

  @Test
  void runs_at_the_lowest_priority() throws Exception {
    // Set right after the start, which a program may be quick enough to see.
    run(
        "/bin/sh",
        "-c",
        "i=0; while [ $(nice) != 19 ] && [ $i -lt 999 ]; do i=$((i+1)); done; nice");
    assertThat(out()).isEqualTo("19\n");
  }

  static boolean alive(long pid) {
    ProcFs.Stat stat = ProcFs.stat((int) pid);
    return stat != null && stat.state() != 'Z';
  }
}
