package dev.imker.agent.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PortableExecutorTest extends ProcessExecutorContract {
  private static final int MEGABYTE = 1 << 20;

  @Override
  ProcessExecutor executor() {
    return new PortableExecutor();
  }

  private ProcessExit run(ProcessLimits limits, String line) throws Exception {
    CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
    executor().start(spec("sh", "-c", line).with(limits), exit::complete);
    return exit.get(60, TimeUnit.SECONDS);
  }

  @Test
  void a_tree_that_takes_too_much_memory_is_ended_with_words() throws Exception {
    ProcessExit exit =
        run(
            new ProcessLimits(20 * MEGABYTE, 0, 0, 0, 0),
            "head -c 60000000 /dev/zero | tail | sleep 600");
    assertThat(exit.overrun())
        .isEqualTo("Used more than 20 MB of memory (limit of the node's policy).");
    assertThat(exit.outOfMemory()).isTrue();
    assertThat(exit.peakMemoryBytes()).isGreaterThan(20 * MEGABYTE);
  }

  @Test
  void the_system_keeps_processor_time_files_and_their_size() throws Exception {
    assertThat(run(new ProcessLimits(0, 1, 0, 0, 0), "while :; do :; done").overrun())
        .contains("Used more than 1 s of CPU time");
    assertThat(
            run(new ProcessLimits(0, 0, 0, 0, 4096), "exec head -c 9999 /dev/zero > f").overrun())
        .contains("Wrote a file of more than 4096 bytes");
    assertThat(run(new ProcessLimits(0, 0, 0, 17, 0), "exit $(ulimit -n)").exitCode())
        .isEqualTo(17);
  }

  @Test
  void too_many_processes_are_ended() throws Exception {
    ProcessExit exit =
        run(new ProcessLimits(0, 0, 3, 0, 0), "for i in 1 2 3 4 5; do sleep 600 & done; wait");
    assertThat(exit.overrun()).contains("Ran more than 3 processes");
  }

  /** The places in the structure are those of winnt.h for 64-bit systems. */
  @Test
  void a_job_object_of_windows_is_told_the_limits() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment told = WindowsJob.information(new ProcessLimits(800, 2, 3, 0, 0), arena);
      assertThat(told.byteSize()).isEqualTo(144);
      assertThat(told.get(ValueLayout.JAVA_LONG, 8)).isEqualTo(20_000_000);
      assertThat(told.get(ValueLayout.JAVA_INT, 16)).isEqualTo(0x20c);
      assertThat(told.get(ValueLayout.JAVA_INT, 40)).isEqualTo(3);
      assertThat(told.get(ValueLayout.JAVA_LONG, 120)).isEqualTo(900);
    }
  }
}
