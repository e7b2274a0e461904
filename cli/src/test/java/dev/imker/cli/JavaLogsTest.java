package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.samples.RemoteCalls;
import dev.imker.testkit.TestPool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code imker logs} shows of Java tasks. */
class JavaLogsTest {
  private static final int LINES = 150_000;

  @TempDir Path folder;

  @Test
  void logs_of_java_tasks_are_what_they_printed_with_a_mark_where_it_is_cut() throws Exception {
    try (TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect()) {
      CommandsInProcess commands = new CommandsInProcess(pool);
      print(imker, "short", 2);
      print(imker, "long", LINES);
      ImkerProcess.Finished few = commands.imker("logs", "short");
      assertThat(few.out()).isEmpty(); // no encoded value
      assertThat(few.err()).contains("line 1\nline 2\n");
      assertThat(commands.imker("logs", "long").err())
          .contains("earlier bytes were dropped")
          .doesNotContain("line 1\n")
          .contains("line " + LINES + "\n");
      assertThat(commands.json("logs", "long", "--stderr").get(0).path("stderr").asText())
          .contains("line " + LINES + "\n");
    }
  }

  @Test
  void jobs_of_an_executor_are_one_line_of_a_list_which_commands_take() throws Exception {
    try (TestPool pool = TestPool.start(folder);
        Imker imker = pool.connect();
        ImkerExecutor first = imker.executor();
        ImkerExecutor second = imker.executor()) {
      CommandsInProcess commands = new CommandsInProcess(pool);
      for (ImkerExecutor executor : List.of(first, first, second, first)) {
        executor.submit(RemoteCalls.printing(1)).get(60, TimeUnit.SECONDS);
      }
      List<String> lines = commands.imker("ls").out().lines().skip(1).toList();
      assertThat(lines).hasSize(2);
      assertThat(lines.getFirst()).matches("1\\.\\.2,4 +java +DONE +3 +3 +0 .*");
      assertThat(lines.getLast()).matches("3 +java +DONE +1 +1 +0 .*");
      assertThat(commands.imker("ls", "--limit", "1").out().lines()).hasSize(2);
      assertThat(commands.imker("cancel", "1..2,4").out()).contains("job 1:", "job 2:", "job 4:");
    }
  }

  private static void print(Imker imker, String name, int lines) throws Exception {
    try (ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withName(name))) {
      assertThat(executor.submit(RemoteCalls.printing(lines)).get(60, TimeUnit.SECONDS))
          .isEqualTo(lines);
    }
  }
}
