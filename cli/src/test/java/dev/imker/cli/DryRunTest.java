package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.testkit.TestPool;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dry run changes nothing, however the work was chosen; an id and a filter go together. */
class DryRunTest {
  @TempDir static Path folder;
  private static TestPool pool;
  private static CommandsInProcess commands;

  @BeforeAll
  static void start_pool() {
    pool = TestPool.start(folder);
    commands = new CommandsInProcess(pool);
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  private static String submit(String name, String... command) {
    String[] all = new String[command.length + 6];
    System.arraycopy(
        new String[] {"run", "--name", name, "--max-failures", "1", "--"}, 0, all, 0, 6);
    System.arraycopy(command, 0, all, 6, command.length);
    return commands.json(all).path("id").asText();
  }

  private static String counts(String id) {
    return commands.json("show", id).path("counts").toString();
  }

  @Test
  void a_finished_job_survives_a_dry_delete_by_id_name_range_and_filter() {
    String id = submit("keep", "true");
    assertThat(commands.imker("wait", id).exitCode()).isZero();
    for (String[] which :
        new String[][] {
          {id}, {"keep"}, {id + ".." + id}, {"--name", "keep"}, {id, "--status", "DONE"}
        }) {
      String[] all = new String[which.length + 2];
      all[0] = "delete";
      System.arraycopy(which, 0, all, 1, which.length);
      all[all.length - 1] = "--dry-run";
      assertThat(commands.imker(all).out()).contains("would be deleted");
      assertThat(commands.json("show", id).path("status").asText()).isEqualTo("DONE");
    }
    assertThat(commands.imker("delete", id).out()).contains("deleted");
    assertThat(commands.imker("show", id).exitCode()).isEqualTo(ExitCodes.REFUSED);
  }

  @Test
  void waiting_work_survives_dry_orders_by_id_and_by_range() {
    String id = submit("stay", "sleep {1000..1009}");
    await().until(() -> commands.json("show", id).at("/counts/running").asInt() == 2);
    String before = counts(id);
    assertThat(commands.imker("cancel", id, "--dry-run").out())
        .isEqualTo("10 tasks of 1 job would be cancelled\n");
    assertThat(commands.imker("cancel", id + ".3..5", "--dry-run").out())
        .isEqualTo("3 tasks of 1 job would be cancelled\n");
    assertThat(commands.imker("cancel", id, "--state", "RUNNING", "--dry-run").out())
        .isEqualTo("2 tasks of 1 job would be cancelled\n");
    assertThat(commands.imker("block", id, "--dry-run").out())
        .contains("10 tasks of 1 job would be blocked")
        .contains("2 of them would be stopped while running");
    assertThat(commands.imker("set", id, "priority=9", "--dry-run").out()).contains("would be");
    assertThat(commands.imker("set", id + ".2", "priority=9", "--dry-run").out())
        .contains("1 task of 1 job would be changed");
    assertThat(counts(id)).isEqualTo(before);
    assertThat(commands.json("show", id).path("priority").asInt()).isEqualTo(4);
    assertThat(commands.imker("cancel", id, "--state", "READY").out()).contains("8 tasks of 1 job");
    assertThat(commands.imker("block", id).out()).contains("2 of them were stopped while running");
    assertThat(commands.imker("cancel", id).exitCode()).isZero();
    assertThat(commands.imker("retry", id, "--dry-run").out()).contains("10 tasks");
    assertThat(commands.json("show", id).path("status").asText()).isEqualTo("CANCELLED");
  }

  @Test
  void failed_tasks_of_one_job_are_retried_by_their_state() {
    String id = submit("partly", "sh -c 'test {1..4} -gt 2'");
    assertThat(commands.imker("wait", id).exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(commands.imker("retry", id, "--state", "AUTO_BLOCKED", "--dry-run").out())
        .isEqualTo("2 tasks of 1 job would be released\n");
    assertThat(commands.imker("retry", id, "--state", "FAILED,AUTO_BLOCKED").out())
        .isEqualTo("2 tasks of 1 job released\n");
    assertThat(commands.imker("wait", id).exitCode()).isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void an_admin_acts_on_own_work_unless_everyone_is_meant() {
    commands.imker("users", "add", "ann", "--no-password");
    String token = commands.imker("tokens", "create", "--user", "ann", "laptop").out().strip();
    String hers =
        commands.as(token).json("run", "--name", "hers", "--", "sleep 1000").path("id").asText();
    String mine = submit("mine", "sleep 1000");
    assertThat(commands.imker("cancel", "--all", "--dry-run").out()).contains("of 1 job");
    commands.imker("cancel", "--all");
    assertThat(commands.json("show", hers).path("status").asText()).isNotEqualTo("CANCELLED");
    assertThat(commands.json("show", mine).path("status").asText()).isEqualTo("CANCELLED");
    assertThat(commands.json("show", "last").path("id").asText()).isEqualTo(mine);
    assertThat(commands.imker("cancel", "--all", "--everyone").out()).contains("1 task of 1 job");
    assertThat(commands.json("show", hers).path("status").asText()).isEqualTo("CANCELLED");
  }
}
