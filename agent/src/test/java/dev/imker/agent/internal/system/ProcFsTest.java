package dev.imker.agent.internal.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;

@EnabledOnOs(LINUX)
class ProcFsTest {
  /** This process has many threads; the shell that it starts has one. */
  @Test
  void descendants_are_found_below_processes_with_one_thread_and_with_many() throws Exception {
    Process shell =
        new ProcessBuilder("/bin/sh", "-c", "sleep 600 & echo $!; wait")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(shell.getInputStream(), StandardCharsets.US_ASCII))) {
      int sleep = Integer.parseInt(out.readLine());
      assertThat(ProcFs.descendants(ProcFs.self())).contains((int) shell.pid(), sleep);
      assertThat(ProcFs.descendants((int) shell.pid())).containsExactly(sleep);
      assertThat(ProcFs.descendants(sleep)).isEmpty();
    } finally {
      shell.descendants().forEach(ProcessHandle::destroyForcibly);
      shell.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_process_that_is_gone_has_no_descendants_and_used_no_time() throws Exception {
    Process gone = new ProcessBuilder("/bin/true").start();
    gone.waitFor();
    assertThat(ProcFs.descendants((int) gone.pid())).isEmpty();
    assertThat(ProcFs.cpuTicks((int) gone.pid())).isZero();
    assertThat(ProcFs.stat((int) gone.pid())).isNull();
  }
}
