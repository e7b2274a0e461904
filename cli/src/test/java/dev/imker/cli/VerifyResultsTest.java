package dev.imker.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.Imker;
import dev.imker.model.BlobId;
import dev.imker.samples.RemoteCalls;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testkit.TestPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code imker verify JOB} says of results that somebody has changed since. */
@ExpectedLogs("An admin revoked the key of this agent")
class VerifyResultsTest {
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

  /** A job of two tasks that leave a file each; its number. */
  private static String job(String content) {
    String command = "echo said {}; echo " + content + " {} > {}.txt";
    String job =
        commands
            .json("run", "--out", "*.txt", "--", command, ":::", "one", "two")
            .path("id")
            .asText();
    assertThat(commands.imker("wait", job).exitCode()).isZero();
    return job;
  }

  private static ImkerProcess.Finished right(String... what) {
    ImkerProcess.Finished verified = commands.imker(what);
    assertThat(verified.exitCode()).as(verified.out() + verified.err()).isZero();
    assertThat(verified.out()).contains("OK: all ");
    return verified;
  }

  private static String wrong(String... what) {
    ImkerProcess.Finished verified = commands.imker(what);
    assertThat(verified.exitCode()).as(verified.out()).isEqualTo(ExitCodes.FAILED);
    return verified.out();
  }

  private static int change(String sql, Object... values) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("server/imker.db");
    try (Connection database = DriverManager.getConnection(url);
        PreparedStatement change = database.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        change.setObject(i + 1, values[i]);
      }
      return change.executeUpdate();
    }
  }

  private static long row(String job, int number) {
    return (Long.parseLong(job) << 24) + number - 1;
  }

  /** Where the server keeps some content. */
  private static Path blobFile(String content) throws IOException {
    String hash = BlobId.of(content.getBytes(StandardCharsets.UTF_8)).sha256();
    try (Stream<Path> files = Files.walk(folder.resolve("server"))) {
      return files.filter(file -> hash.endsWith(file.getFileName().toString())).findFirst().get();
    }
  }

  @Test
  void results_that_nobody_touched_are_right() {
    String job = job("plain");
    assertThat(right("verify", job).out()).contains("all 2 tasks").contains("key ");
    right("verify", job + ".2");
    String failed = commands.json("run", "--", "seq 1 9000; exit 3").path("id").asText();
    commands.imker("wait", failed);
    right("verify", failed);
    JsonNode told = commands.json("verify", job);
    assertThat(told.path("right").asInt()).isEqualTo(2);
    assertThat(told.path("wrong").asInt()).isZero();
  }

  @Test
  void java_calls_are_signed_too() throws Exception {
    try (Imker imker = pool.connect()) {
      assertThat(imker.executor().submit(RemoteCalls.slowSquare(3)).get()).isEqualTo(9);
    }
    right("verify", "last");
  }

  @Test
  @Attack("change a result file on the server's disk")
  void a_changed_file_is_named() throws IOException {
    String job = job("$(seq 1 20000)");
    Path file =
        blobFile(
            IntStream.rangeClosed(1, 20000).mapToObj(n -> n + " ").collect(joining()) + "two\n");
    Files.writeString(file, Files.readString(file).replace("two", "six"));
    assertThat(wrong("verify", job))
        .contains("wrong: " + job + ".2: its result two.txt differs from what was signed")
        .contains("1 of 2 tasks")
        .doesNotContain(job + ".1:");
    right("verify", job, "--no-files");
  }

  @Test
  @Attack("change the database record of a finished task")
  void a_changed_row_is_told_from_what_was_signed() throws SQLException {
    String job = job("true");
    assertThat(change("UPDATE task SET exit_code = 7 WHERE id = ?", row(job, 1))).isOne();
    assertThat(wrong("verify", job))
        .contains(job + ".1: what the pool says differs from what its node signed: how it ended")
        .doesNotContain(job + ".2:");
    change("UPDATE task SET exit_code = 0 WHERE id = ?", row(job, 1));
    right("verify", job);
    change("UPDATE task SET started_at = started_at - 1 WHERE id = ?", row(job, 2));
    assertThat(wrong("verify", job))
        .contains(job + ".2: ")
        .contains("times")
        .doesNotContain(job + ".1:");

    job = job("false");
    change(
        "UPDATE task SET output = ? WHERE id = ?",
        "laid one\n".getBytes(StandardCharsets.UTF_8),
        row(job, 1));
    assertThat(wrong("verify", job))
        .contains(job + ".1: ")
        .contains("what it wrote")
        .doesNotContain("files");

    String swapped = job("swapped");
    assertThat(
            change(
                "UPDATE task SET report = (SELECT report FROM task WHERE id = ?) WHERE id = ?",
                row(swapped, 2),
                row(swapped, 1)))
        .isOne();
    assertThat(wrong("verify", swapped)).contains(swapped + ".1: ").contains("the lease");
  }

  @Test
  @Attack("change the command of a job after it ran")
  void a_changed_command_is_noticed() throws SQLException {
    String job = job("said");
    assertThat(
            change(
                "UPDATE job_spec SET spec = replace(spec, 'echo said', 'echo sold') WHERE job = ?",
                Long.parseLong(job)))
        .isOne();
    assertThat(wrong("verify", job)).contains("what was to be done");
  }

  @Test
  @Attack("remove the attestation of a result")
  void a_result_that_nobody_stands_for_is_not_right() throws SQLException {
    String job = job("nobody");
    change("UPDATE task SET report = NULL, output = NULL WHERE id = ?", row(job, 1));
    assertThat(wrong("verify", job)).contains(job + ".1: its node signed nothing");
    assertThat(wrong("verify", job + ".2", "--key", "0123456789abcdef"))
        .contains("which is not one of --key");
  }

  @Test
  void keys_that_were_revoked_or_replaced_still_prove_what_they_signed(@TempDir Path own) {
    try (TestPool revoking = TestPool.start(own)) {
      CommandsInProcess admin = new CommandsInProcess(revoking);
      String job = admin.json("run", "--", "true").path("id").asText();
      assertThat(admin.imker("wait", job).exitCode()).isZero();
      JsonNode key = admin.json("nodes", "keys").at("/agents/0");
      String agent = key.path("agent").asText();
      assertThat(
              admin.imker("verify", job, "--key", key.path("nodeFingerprint").asText()).exitCode())
          .isZero();
      admin.imker("nodes", "revoke", agent);
      assertThat(admin.imker("verify", job).out()).contains("revoked since").contains("OK:");
      revoking.stopAgents(); // else it may join at once with the same key
      admin.imker("nodes", "readmit", agent);
      revoking.restartServer();
      assertThat(new CommandsInProcess(revoking).imker("verify", job).out())
          .contains("has since joined again")
          .contains("OK:");
    }
  }
}
