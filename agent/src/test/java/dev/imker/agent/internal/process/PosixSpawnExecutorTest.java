package dev.imker.agent.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.process.ProcessLimits.MemoryOf;
import dev.imker.agent.internal.system.OwnChildren;
import dev.imker.agent.internal.system.ProcFs;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class PosixSpawnExecutorTest extends ProcessExecutorContract {
  @Override
  ProcessExecutor executor() {
    return PosixSpawnExecutor.shared();
  }

  @Test
  void counts_cpu_time() throws Exception {
    ProcessExit exit = run("/bin/sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
    assertThat(exit.cpuMillis()).isPositive();
  }

  @Test
  void peak_memory_is_that_of_the_task_and_not_of_the_agent() throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess process = executor.start(spec("sleep", "600"), exit::complete);
    await().until(() -> process.memoryBytes() > 0);
    process.kill();
    assertThat(exit.get(60, TimeUnit.SECONDS).peakMemoryBytes()).isBetween(1L, 20L << 20);
  }

  private ProcessExit runLimited(ProcessLimits limits, String line) throws Exception {
    return runUnder(limits, "/bin/sh", "-c", line);
  }

  private ProcessExit runUnder(ProcessLimits limits, String... command) throws Exception {
    return runUnder(limits, new BitSet(), command);
  }

  private ProcessExit runUnder(ProcessLimits limits, BitSet cores, String... command)
      throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    ProcessSpec plain = spec(command);
    executor.start(
        new ProcessSpec(
                plain.command(),
                plain.env(),
                plain.folder(),
                plain.stdout(),
                plain.stderr(),
                ProcessPriority.NORMAL)
            .with(limits)
            .on(cores),
        exit::complete);
    return exit.get(60, TimeUnit.SECONDS);
  }

  @Test
  void a_tree_that_takes_more_memory_than_allowed_is_killed() throws Exception {
    ProcessLimits limits = new ProcessLimits(20L << 20, 0, 0, 0, 0);
    String hungry = "head -c 40000000 /dev/zero | tail | sleep 600";
    ProcessExit exit = runLimited(limits, hungry);
    assertThat(exit.overrun())
        .isEqualTo("Used more than 20 MB of memory (limit of the node's policy).");
    assertThat(exit.signal()).isEqualTo(9);
    assertThat(exit.outOfMemory()).isFalse(); // more would not be allowed elsewhere either
  }

  @Test
  @Attack("use more memory than allowed through memory files that nobody has mapped")
  void memory_that_is_hidden_in_files_counts() throws Exception {
    ProcessLimits limits = new ProcessLimits(30L << 20, 0, 0, 0, 0);
    ProcessExit exit =
        runLimited(
            limits,
            "exec perl -e 'my $name = \"x\"; my $file = syscall($ARGV[0] + 0, $name, 0);"
                + " open(F, \">&=\", $file) or die;"
                + " syswrite(F, \"x\" x (1 << 20)) for 1..60; sleep 600' "
                + (System.getProperty("os.arch").equals("aarch64") ? 279 : 319));
    assertThat(exit.overrun()).contains("Used more than 30 MB of memory");
  }

  @Test
  void a_tree_of_too_many_processes_is_killed() throws Exception {
    ProcessLimits limits = new ProcessLimits(0, 0, 5, 0, 0);
    ProcessExit exit =
        runLimited(limits, "for i in 1 2 3 4 5 6 7 8; do sleep 600 & done; sleep 600");
    assertThat(exit.overrun()).contains("Ran more than 5 processes at once");
  }

  @Test
  void a_process_that_takes_too_much_processor_time_is_ended() throws Exception {
    ProcessLimits limits = new ProcessLimits(0, 1, 0, 0, 0);
    ProcessExit exit = runLimited(limits, "while :; do :; done");
    assertThat(exit.overrun()).contains("Used more than 1 s of CPU time");
  }

  @Test
  void a_file_that_gets_too_long_ends_the_task() throws Exception {
    ProcessLimits limits = new ProcessLimits(0, 0, 0, 0, 1 << 20);
    ProcessExit exit = runLimited(limits, "exec head -c 3000000 /dev/zero > big");
    assertThat(exit.overrun()).contains("Wrote a file of more than 1 MB");
  }

  @Test
  void open_files_and_cores_are_limited_by_the_kernel() throws Exception {
    ProcessLimits limits = new ProcessLimits(0, 0, 0, 17, 0);
    runUnder(limits, firstCore(), "/bin/sh", "-c", "ulimit -n; nproc");
    assertThat(out().lines()).containsExactly("17", "1");
  }

  @Test
  void limits_hold_for_a_program_beside_the_task_and_what_it_starts() throws Exception {
    Path script = Files.writeString(work().resolve("own"), "#!/bin/sh\n(ulimit -n; echo $1)\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    runUnder(new ProcessLimits(0, 0, 0, 17, 0), "./own", "two words");
    assertThat(out().lines()).containsExactly("17", "two words");
  }

  @Test
  void a_program_that_is_not_there_is_told_as_such_under_limits_too() {
    ProcessLimits limits = new ProcessLimits(0, 5, 0, 17, 1 << 20);
    assertThatThrownBy(() -> runUnder(limits, "./absent"))
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("absent");
  }

  private BitSet firstCore() {
    BitSet first = new BitSet();
    first.set(executor.cores().nextSetBit(0));
    return first;
  }

  @Test
  void memory_that_a_task_asked_for_is_its_limit_and_the_report_says_so() throws Exception {
    ProcessLimits limits =
        new ProcessLimits(30L << 20, 0, 0, 0, 0).withMemory(20L << 20, MemoryOf.NEEDS);
    ProcessExit exit = runLimited(limits, "head -c 40000000 /dev/zero | tail | sleep 600");
    assertThat(exit.overrun())
        .isEqualTo("Used more than the 20 MB of memory it asked for (needs: memory).");
    assertThat(exit.outOfMemory()).isTrue();
  }

  @Test
  void cores_of_a_task_are_not_those_of_the_agent() throws Exception {
    runUnder(ProcessLimits.NONE, "nproc");
    String before = out();
    runUnder(ProcessLimits.NONE, firstCore(), "nproc");
    assertThat(out().strip()).isEqualTo("1");
    runUnder(ProcessLimits.NONE, "nproc");
    assertThat(out()).isEqualTo(before);
  }

  @Test
  void leads_its_own_session_without_inherited_files() throws Exception {
    try (var inherited = Files.newInputStream(Path.of("/dev/zero"))) {
      run("/bin/sh", "-c", "ls /proc/self/fd; cut -d' ' -f6 /proc/$$/stat; echo $$");
      assertThat(inherited.read()).isZero();
    }
    var lines = out().lines().toList();
    assertThat(lines).startsWith("0", "1", "2", "3").hasSize(6); // 3 is the folder that ls reads
    assertThat(lines.get(4)).isEqualTo(lines.get(5));
  }

  @Test
  void no_signal_is_blocked_or_ignored() throws Exception {
    run("/bin/sh", "-c", "grep -E '^Sig(Blk|Ign)' /proc/self/status");
    long internalToGlibc = 1L << 31 | 1L << 32;
    assertThat(out().lines().map(line -> Long.parseUnsignedLong(line.split("\t", -1)[1], 16)))
        .hasSize(2)
        .allMatch(signals -> (signals & ~internalToGlibc) == 0);
  }

  @Test
  void disk_is_used_only_when_nobody_else_wants_it() throws Exception {
    Path ionice = Path.of("/usr/bin/ionice");
    assumeTrue(Files.isExecutable(ionice));
    run(
        "/bin/sh",
        "-c",
        "i=0; while [ \"$(ionice)\" != idle ] && [ $i -lt 999 ]; do i=$((i+1)); done; ionice");
    assertThat(out()).startsWith("idle");
  }

  @Test
  void what_a_task_leaves_in_the_background_is_gone_when_its_end_is_told() throws Exception {
    ProcessExit exit = run("/bin/sh", "-c", "sleep 600 & echo $!");
    assertThat(exit.exitCode()).isZero();
    assertThat(alive(Long.parseLong(out().strip()))).isFalse();
  }

  @Test
  void a_daemon_that_left_session_and_parents_is_gone_when_the_end_is_told() throws Exception {
    env.put(ProcessSpec.MARK, "daemon-test");
    String daemon = "(setsid sh -c 'echo $$ > draft; mv draft pid; exec sleep 600' &)";
    ProcessExit exit =
        run("/bin/sh", "-c", daemon + "; while [ ! -e pid ]; do sleep 0.02; done; cat pid");
    assertThat(exit.exitCode()).isZero();
    assertThat(alive(Long.parseLong(out().strip()))).isFalse();
  }

  @Test
  void the_daemon_of_a_running_task_survives_the_end_of_another_one() throws Exception {
    env.put(ProcessSpec.MARK, "task-a");
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    TaskProcess first =
        executor.start(
            spec("/bin/sh", "-c", "(setsid sh -c 'echo $$; exec sleep 600' &) ; exec sleep 600"),
            exit::complete);
    await().until(() -> !out().isBlank());
    long daemon = Long.parseLong(out().strip());
    env.put(ProcessSpec.MARK, "task-b");
    Path other = folder.resolve("other");
    CompletableFuture<ProcessExit> second = new CompletableFuture<>();
    executor.start(
        new ProcessSpec(List.of("true"), env, work(), other, other, ProcessPriority.NORMAL),
        second::complete);
    assertThat(second.get(60, TimeUnit.SECONDS).exitCode()).isZero();
    assertThat(alive(daemon)).isTrue();
    first.kill();
    exit.get(60, TimeUnit.SECONDS);
    assertThat(alive(daemon)).isFalse();
  }

  @Test
  void what_this_process_started_before_a_task_survives_it() throws Exception {
    CompletableFuture<Process> started = new CompletableFuture<>();
    // When the thread that started it ends, it is a child of the first one, like orphans are.
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                started.complete(new ProcessBuilder("setsid", "sleep", "600").start());
              } catch (IOException e) {
                started.completeExceptionally(e);
              }
            })
        .join();
    Process bystander = started.get(60, TimeUnit.SECONDS);
    try {
      await()
          .until(
              () -> {
                var stat = ProcFs.stat((int) bystander.pid());
                return stat != null && stat.session() == bystander.pid();
              });
      await().until(() -> new OwnChildren(ProcFs.self()).list().contains((int) bystander.pid()));
      run("true");
      assertThat(alive(bystander.pid())).isTrue();
    } finally {
      bystander.destroyForcibly();
    }
  }

  @Test
  void a_script_without_interpreter_line_runs_in_the_shell() throws Exception {
    Path script = Files.writeString(work().resolve("plain"), "echo plain $1\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    assertThat(run("./plain", "x").exitCode()).isZero();
    assertThat(out()).isEqualTo("plain x\n");
  }

  @Test
  void children_of_the_java_process_itself_are_left_alone() throws Exception {
    Process own = new ProcessBuilder("sleep", "600").start();
    Thread starter = Thread.ofPlatform().start(() -> {});
    starter.join();
    run("true");
    assertThat(own.isAlive()).isTrue();
    own.destroyForcibly();
    assertThat(own.waitFor()).isEqualTo(137);
  }

  @Test
  void output_files_are_private() throws Exception {
    run("true");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("out"))))
        .isEqualTo("rw-------");
  }
}
