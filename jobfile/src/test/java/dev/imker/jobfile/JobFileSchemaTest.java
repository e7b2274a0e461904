package dev.imker.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.internal.form.JobForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The schema says what the reader does. */
class JobFileSchemaTest {
  private static final Pattern EXAMPLE = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
  private static final Path DOCUMENT = Path.of(System.getProperty("imker.root"), "docs/jobs.md");

  private static final Path FILES = Path.of(System.getProperty("imker.root"), "examples/jobs");

  private static final String FULL =
      """
      imker: 1
      name: full
      project: demo
      kind: command
      priority: 4
      on-failure: abort
      notify: {mail: ann@example.org, web-hook: ['https://example.org']}
      command: echo ${n}
      sweep: {n: 1..3, zip: {a: [1], b: [2]}, r: {from: 1, to: 2, step: 1, width: 3}}
      results: [a, b]
      needs: {os: linux, arch: [x86_64], runtimes: {java: '>=21'}, memory: 1 GB, cores: 1, gpus: 0, disk: 1 MB, labels: x}
      after: [{tasks: '12'}]
      env: {A: b}
      secrets: {TOKEN: my-token}
      folder: f
      stdin: text
      max-failures: 3
      max-runtime: 2h
      back-off: 1s
      checkpoint: {files: x, every: 1m}
      speculative: false
      quorum: 1
      pin: n
      trust: 0
      network: false
      gang: false
      at-most: 10
      max-memory: 512 MB
      start-at: 2026-11-16T22:00+01:00
      publish: rain
      after-any: 12
      """;

  private static boolean readerTakes(String yaml) {
    return JobFileReader.read("job.yaml", yaml, JobFiles.unknown()).isValid();
  }

  @TestFactory
  List<DynamicTest> every_documented_example_fits_the_schema() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Matcher example = EXAMPLE.matcher(Files.readString(DOCUMENT));
    while (example.find()) {
      String yaml = example.group(1);
      tests.add(
          DynamicTest.dynamicTest(
              yaml.lines().findFirst().orElse(""),
              () -> {
                assertThat(SchemaOpinion.of(yaml)).isEmpty();
                assertThat(JobFileReader.read("x.yaml", yaml, JobFiles.in(FILES)).findings())
                    .isEmpty();
                assertThat(JobFileReader.read("x.yaml", yaml, JobFiles.unknown()).isValid())
                    .as("without its files")
                    .isTrue();
              }));
    }
    assertThat(tests).hasSizeGreaterThan(10);
    return tests;
  }

  @Test
  void both_take_a_file_with_every_field() {
    assertThat(SchemaOpinion.of(FULL)).isEmpty();
    assertThat(readerTakes(FULL)).isTrue();
    for (String field : JobForm.JOB.names()) {
      if (!List.of("stages", "tasks", "inputs", "payload").contains(field)) {
        assertThat("\n" + FULL).contains("\n" + field + ":");
      }
    }
  }

  /** Each line of the full file is damaged in several ways: both must refuse it. */
  @TestFactory
  Stream<DynamicTest> both_refuse_what_is_damaged() {
    List<String> damaged = new ArrayList<>();
    for (String line : FULL.lines().toList()) {
      String field = line.substring(0, line.indexOf(':'));
      damaged.add(FULL.replace(line, field + "-x" + line.substring(field.length())));
      damaged.add(FULL.replace(line, field + ": {unheard-of: 1}"));
      damaged.add(FULL.replace(line, field + ": [[[1]]]"));
      damaged.add(FULL.replace(line, field + ":"));
    }
    // An environment and a sweep take any name.
    return damaged.stream()
        .filter(yaml -> !yaml.contains("env: {unheard-of") && !yaml.contains("sweep: {unheard-of"))
        .map(
            yaml ->
                DynamicTest.dynamicTest(
                    difference(yaml),
                    () -> {
                      assertThat(readerTakes(yaml)).as("reader: " + yaml).isFalse();
                      assertThat(SchemaOpinion.of(yaml)).as("schema: " + yaml).isNotEmpty();
                    }));
  }

  private static String difference(String yaml) {
    return yaml.lines().filter(line -> !FULL.contains(line + "\n")).findFirst().orElse("?");
  }

  @Test
  void both_agree_on_values() {
    for (String line :
        List.of(
            "priority: 9",
            "priority: 10",
            "priority: -1",
            "max-runtime: none",
            "max-runtime: 5",
            "max-runtime: 1h 30m",
            "max-runtime: forever",
            "speculative: yes",
            "speculative: true",
            "kind: noop",
            "kind: nothing",
            "results: none",
            "results: []",
            "env: {A: }",
            "env: {1A: x}",
            "needs: {memory: 2GB}",
            "needs: {memory: 2}",
            "needs: {any-of: [{os: linux}]}",
            "needs: {any-of: {os: linux}}",
            "inputs: {stage: x, form: y}",
            "inputs: {from: x, stage: y}",
            "notify: nobody",
            "sweep: {task: 1}",
            "sweep: {a: {values: [1]}}",
            "sweep: {a: {from: 1}}",
            "sweep: [1]",
            "checkpoint: {every: 1m}",
            "stages: []\ntasks: []",
            "on-failure: {restart: 0}",
            "stdin: {file: 1, x: 2}",
            "imker: 2",
            "name: a b",
            "name: ok-1.x",
            "after: {stage: x, match: some}")) {
      String yaml = "command: x\n" + line + "\n";
      boolean schema = SchemaOpinion.of(yaml).isEmpty();
      boolean syntactic =
          JobFileReader.read("job.yaml", yaml, JobFiles.unknown()).findings().stream()
              .noneMatch(
                  f ->
                      f.isError()
                          && !f.message().contains("no stage")
                          && !f.message().contains("stages; 1"));
      assertThat(syntactic).as(line).isEqualTo(schema);
    }
  }

  @Test
  void every_field_is_in_the_reference() throws IOException {
    String reference = Files.readString(DOCUMENT);
    assertThat(JobForm.JOB.names()).allMatch(field -> reference.contains("| `" + field + "` |"));
  }

  @Test
  void the_schema_is_always_the_same_text() {
    assertThat(JobFileSchema.json()).startsWith("{\n  \"$schema\"").contains("\"max-runtime\"");
  }
}
