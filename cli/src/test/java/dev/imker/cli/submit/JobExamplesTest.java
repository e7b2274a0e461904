package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.PoolFixture;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.files.JobFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every job file in the documentation is run to its end. */
class JobExamplesTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root"));
  private static final Pattern EXAMPLE =
      Pattern.compile("```yaml\\n(imker: 1\\n.*?)```", Pattern.DOTALL);

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir static Path folder;
  private static PoolFixture pool;

  @BeforeAll
  static void start_pool() throws IOException {
    pool = PoolFixture.start(folder);
    pool.addAgent("one", 2);
    pool.awaitAgents(1);
    Path secret = Files.writeString(folder.resolve("secret"), "a secret of examples");
    assertThat(pool.imker("secret", "set", "my-token", "--file", secret.toString()).exitCode())
        .isZero();
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  /** Text of every example, by where it stands. */
  private static Map<String, String> examples() throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".md")).sorted().toList()) {
        String text = Files.readString(file);
        Matcher example = EXAMPLE.matcher(text);
        while (example.find()) {
          long line = text.substring(0, example.start(1)).lines().count() + 1;
          all.put(ROOT.relativize(file) + ":" + line, example.group(1));
        }
      }
    }
    return all;
  }

  @TestFactory
  List<DynamicTest> every_documented_job_runs_to_its_end() throws IOException {
    Map<String, String> examples = examples();
    assertThat(examples).hasSizeGreaterThan(15);
    Map<String, List<Long>> submitted = new LinkedHashMap<>();
    try (ApiClient api = pool.api()) {
      for (Map.Entry<String, String> example : examples.entrySet()) {
        submitted.put(example.getKey(), submit(api, example.getValue()));
      }
    }
    List<DynamicTest> tests = new ArrayList<>();
    submitted.forEach(
        (place, jobs) -> tests.add(DynamicTest.dynamicTest(place, () -> requireDone(jobs))));
    return tests;
  }

  private static List<Long> submit(ApiClient api, String yaml) {
    JobFiles files = JobFiles.in(ROOT.resolve("examples/jobs"));
    List<JobDraft> jobs = JobFileReader.read("example.yaml", yaml, files).orThrow();
    return new JobSender(api).sendAll(jobs).stream().map(view -> view.path("id").asLong()).toList();
  }

  private static void requireDone(List<Long> jobs) {
    Assertions.assertTimeoutPreemptively(PATIENCE, () -> awaitDone(jobs));
  }

  private static void awaitDone(List<Long> jobs) {
    try (ApiClient api = pool.api()) {
      for (long job : jobs) {
        JsonNode settled = new JobWatch(api, trouble -> {}).untilSettled(job, view -> {});
        String tasks = api.get("/api/v1/jobs/" + job + "/tasks?output=true").toPrettyString();
        assertThat(settled.path("status").asText()).as(tasks).isEqualTo("DONE");
      }
    }
  }
}
