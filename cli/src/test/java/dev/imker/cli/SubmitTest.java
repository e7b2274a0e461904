package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs from files, as a user submits them. */
class SubmitTest {
  @TempDir static Path folder;
  private static PoolFixture pool;

  @BeforeAll
  static void start_pool() {
    pool = PoolFixture.start(folder);
    pool.addAgent("one", 2);
    pool.awaitAgents(1);
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  private static void file(String name, String text) throws IOException {
    Path file = pool.home().resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void a_file_is_submitted_and_its_results_come_back() throws IOException {
    file("work/data/a.txt", "3\n1\n2\n");
    file("work/data/b.txt", "9\n8\n");
    file(
        "work/sort.yaml",
        """
        command: sort ${file} > sorted.txt; head -1 sorted.txt
        sweep: {file: {files: 'data/*.txt'}}
        results: sorted.txt
        """);
    Path results = folder.resolve("sorted");
    ImkerProcess.Finished run =
        pool.imker("submit", "work/sort.yaml", "--results", results.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("1\n8\n");
    assertThat(results.resolve("0002/sorted.txt")).hasContent("8\n9");
    assertThat(pool.imkerJson("show", "sort").path("tasks").asInt()).isEqualTo(2);
  }

  @Test
  void tasks_read_their_standard_input_in_a_folder_of_the_wanted_name() throws IOException {
    file("count.txt", "one\n");
    file(
        "reading.yaml",
        """
        command: basename "$PWD"; ls; cat; echo ${n} > made.txt
        stdin: |
          n is ${n}
        folder: run-${n}
        inputs: count.txt
        sweep: {n: 1..2}
        """);
    Path results = folder.resolve("reading");
    ImkerProcess.Finished run =
        pool.imker("submit", "reading.yaml", "--results", results.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("run-1\ncount.txt\nn is 1\nrun-2\ncount.txt\nn is 2\n");
    assertThat(results.resolve("0002/made.txt")).hasContent("2");
  }

  @Test
  void mistakes_are_told_at_once_without_a_server() throws IOException {
    file("wrong.yaml", "comand: x\npriority: 12\n");
    ImkerProcess.Finished check =
        ImkerProcess.run(
            folder.resolve("nobody"),
            "submit",
            pool.home().resolve("wrong.yaml").toString(),
            "--check");
    assertThat(check.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(check.err())
        .contains("wrong.yaml:1:1: comand: Unknown field 'comand'. Did you mean command?")
        .contains("wrong.yaml:2:11: priority: 12 is out of bounds.")
        .contains("3 mistakes");
  }

  @Test
  void jobs_are_submitted_together_or_not_at_all() throws IOException {
    file("good.yaml", "name: lonely\ncommand: echo one\n");
    file("pair.yaml", "name: first\ncommand: x\n---\ncommand: y\nafter: {tasks: nobody}\n");
    ImkerProcess.Finished refused = pool.imker("submit", "good.yaml", "pair.yaml");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(refused.err())
        .contains("pair.yaml:5:8")
        .contains("nobody")
        .contains("Nothing was submitted");
    assertThat(pool.imkerJson("ls").path("jobs").findValuesAsText("name"))
        .doesNotContain("lonely", "first");
  }

  @Test
  void an_explanation_shows_what_would_be_created() throws IOException {
    file(
        "big.yaml",
        """
        command: echo ${n} ${m}
        sweep: {n: 1..1000, m: [a, b]}
        needs: {os: linux}
        inputs: big.yaml
        """);
    ImkerProcess.Finished explain = pool.imker("submit", "big.yaml", "--explain");
    assertThat(explain.out())
        .contains("job big (project default): 2,000 tasks")
        .contains("echo 1 a")
        .contains("echo 1000 b")
        .contains("1 of 1 machines, 2 slots")
        .contains("1 file,");
    JsonNode json = pool.imkerJson("submit", "big.yaml", "--explain");
    assertThat(json.path("valid").asBoolean()).isTrue();
    assertThat(json.path("jobs").get(0).path("tasks").asInt()).isEqualTo(2000);
  }

  @Test
  void a_dash_is_standard_input() {
    // The test's processes have an empty one.
    ImkerProcess.Finished empty = pool.imker("submit", "-", "--check");
    assertThat(empty.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(empty.err()).contains("<stdin>:1:1: There is no job in this file.");
  }

  @Test
  void the_schema_is_printed_and_served() {
    ImkerProcess.Finished schema = pool.imker("submit", "--schema");
    JsonNode printed = PoolFixture.json(schema.out());
    assertThat(printed.path("properties").has("max-runtime")).isTrue();
    try (var api = pool.api()) {
      assertThat(api.get("/api/v1/schemas/job.json")).isEqualTo(printed);
    }
  }

  @Test
  void values_can_be_set_and_a_job_can_be_cloned() throws IOException {
    file("seeds.yaml", "name: seeds\ncommand: echo seed ${seed}\nsweep: {seed: 1..100}\n");
    ImkerProcess.Finished run =
        pool.imker("submit", "seeds.yaml", "--set", "seed=7..8", "--set", "priority=6", "--wait");
    assertThat(run.out()).isEqualTo("seed 7\nseed 8\n");
    assertThat(pool.imker("clone", "seeds", "--wait").out()).isEqualTo("seed 7\nseed 8\n");
    assertThat(pool.imker("clone", "seeds.2", "--wait").out()).isEqualTo("seed 8\n");
    assertThat(pool.imker("clone", "seeds", "--set", "seed=9", "--wait").out())
        .isEqualTo("seed 9\n");
    pool.imker("clone", "seeds", "--edit-file", "again.yaml");
    assertThat(Files.readString(pool.home().resolve("again.yaml")))
        .contains("name: seeds")
        .contains("priority: 6");
    assertThat(pool.imker("submit", "again.yaml", "--wait").out()).isEqualTo("seed 9\n");
  }

  @Test
  void the_ten_field_format_is_imported() throws IOException {
    file("in.dat", "hello\n");
    file(
        "tasks.tsv",
        """
        ann_import	L.1.*.*	cat in.dat	*	NO	in.dat	NO	NO	NO	NO
        ann_import	L.1.*.*	wc -l in.dat	*	NO	in.dat	NO	NO	NO	NO
        """);
    ImkerProcess.Finished run = pool.imker("submit", "tasks.tsv", "--wait");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("hello\n1 in.dat\n");
    file("broken.tsv", "ann_import\tX\tcat\n");
    ImkerProcess.Finished broken = pool.imker("import-tsv", "broken.tsv");
    assertThat(broken.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(broken.err())
        .contains("broken.tsv:1:12: platform: 'X' is not a platform expression");
  }

  @Test
  void many_jobs_are_steered_by_what_they_have_in_common() {
    for (int i = 1; i <= 3; i++) {
      pool.imkerJson(
          "run",
          "--name",
          "night-" + i,
          "--project",
          "nights",
          "--sweep",
          "n=1..40",
          "--",
          "sleep",
          "600");
    }
    pool.imkerJson(
        "run",
        "--name",
        "other",
        "--project",
        "nights",
        "--sweep",
        "n=1..40",
        "--",
        "sleep",
        "600");
    JsonNode dry =
        pool.imkerJson("cancel", "--project", "nights", "--name", "night-*", "--dry-run");
    assertThat(dry.path("jobs").asInt()).isEqualTo(3);
    assertThat(dry.path("tasks").asInt()).isEqualTo(120);
    JsonNode blocked =
        pool.imkerJson("block", "--project", "nights", "--name", "other", "--state", "READY");
    assertThat(blocked.path("tasks").asInt()).isBetween(36, 40);
    JsonNode set = pool.imkerJson("set", "--name", "night-*", "priority=7", "max-runtime=1h");
    assertThat(set.path("jobs").asInt()).isEqualTo(3);
    assertThat(pool.imkerJson("show", "night-2").toString()).contains("\"priority\":7");
    JsonNode cancelled = pool.imkerJson("cancel", "--project", "nights", "--name", "night-*");
    assertThat(cancelled.path("tasks").asInt()).isEqualTo(120);
    assertThat(pool.imkerJson("cancel", "--project", "nights").path("jobs").asInt()).isEqualTo(1);
    assertThat(pool.imker("cancel").err()).contains("Name what to change");
    assertThat(pool.imker("cancel", "--project", "nights").out()).contains("0 tasks");
    assertThat(pool.imker("delete", "night-1.2").err()).contains("Only whole jobs");
    assertThat(pool.imker("delete", "night-1").out()).contains(": deleted");
    assertThat(pool.imker("delete", "--project", "nights").out())
        .contains("120 tasks of 3 jobs deleted");
  }
}
