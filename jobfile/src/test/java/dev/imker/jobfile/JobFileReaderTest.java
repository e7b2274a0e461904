package dev.imker.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.internal.form.PlatformExpression;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fields of a job file come to. */
class JobFileReaderTest {
  @TempDir Path folder;

  private JobDraft draft(String yaml) {
    Reading reading = JobFileReader.read("job.yaml", yaml, JobFiles.in(folder));
    assertThat(reading.findings()).isEmpty();
    return reading.orThrow().getFirst();
  }

  private JobSpec job(String yaml) {
    return draft(yaml).spec();
  }

  private void file(String name, String content) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, content);
  }

  @Test
  void a_command_is_enough_and_the_rest_has_defaults() {
    JobSpec job = job("command: echo hello");
    assertThat(job.name()).isEqualTo("job");
    assertThat(job.project()).isEqualTo("default");
    assertThat(job.kind()).isEqualTo(JobKind.COMMAND);
    assertThat(job.priority()).isEqualTo(4);
    Stage stage = job.stages().getFirst();
    assertThat(stage.command()).containsExactly("echo hello");
    assertThat(stage.outputs()).containsExactly("*");
    assertThat(stage.needs()).isEqualTo(Requirements.ANY);
    assertThat(stage.rules()).isEqualTo(TaskRules.USUAL);
  }

  @Test
  void every_field_reaches_the_job() throws IOException {
    file("numbers.txt", "1\n2\n");
    JobSpec job =
        job(
            """
            imker: 1
            name: all-of-it
            project: demo
            priority: 7
            on-failure: {restart: 3}
            notify: [ann@example.org, 'https://example.org/hook']
            command: [sort, '-k', '${n}']
            sweep: {n: 1..3}
            results: [out/*.txt, 'log-${n}']
            env: {LANG: C, LEVEL: 010, EMPTY: }
            folder: run-${n}
            stdin: {file: numbers.txt}
            max-failures: 2
            max-runtime: 1h30m
            back-off: 10s
            quorum: 2
            pin: node-7
            trust: 3
            network: true
            gang: true
            max-memory: 512 MB
            speculative: false
            needs:
              os: [linux, macos]
              arch: amd64
              runtimes: {java: '>=21', python: 3.10}
              memory: 2 GB
              cores: 4
              gpus: 1
              disk: 512 MB
              labels: [fast]
            after: 12.3..7
            """);
    assertThat(job.priority()).isEqualTo(7);
    assertThat(job.onFailure()).isEqualTo(new OnFailure(OnFailure.Way.RESTART, 3));
    assertThat(job.notices())
        .isEqualTo(new Notices(List.of("ann@example.org"), List.of("https://example.org/hook")));
    Stage stage = job.stages().getFirst();
    assertThat(stage.command()).containsExactly("sort", "-k", "${n}");
    assertThat(stage.taskCount()).isEqualTo(3);
    assertThat(stage.outputs()).containsExactly("out/*.txt", "log-${n}");
    assertThat(stage.env()).isEqualTo(Map.of("LANG", "C", "LEVEL", "010", "EMPTY", ""));
    assertThat(stage.after()).containsExactly(After.tasks("12.3..7"));
    assertThat(stage.rules())
        .isEqualTo(
            new TaskRules(
                2,
                5_400_000,
                10_000,
                false,
                2,
                "node-7",
                3,
                true,
                List.of(),
                0,
                "1\n2\n",
                "run-${n}",
                true,
                0,
                512 << 20));
    assertThat(stage.needs().alternatives())
        .containsExactly(
            new Requirements.Need(
                Set.of("linux", "macos"),
                Set.of("x86_64"),
                4,
                1,
                2L << 30,
                512L << 20,
                Set.of("fast"),
                Map.of("java", ">=21", "python", "3.10")));
  }

  @Test
  void checkpoints_exclude_copies() {
    TaskRules rules =
        job("command: work\ncheckpoint: {files: state.bin, every: 5m}").stages().getFirst().rules();
    assertThat(rules.checkpoints()).containsExactly("state.bin");
    assertThat(rules.checkpointMillis()).isEqualTo(300_000);
    assertThat(rules.speculative()).isFalse();
  }

  @Test
  void alternatives_and_expressions_are_needs_too() {
    assertThat(
            job("command: x\nneeds: {any-of: [{os: linux}, {os: windows, cores: 2}]}")
                .stages()
                .getFirst()
                .needs()
                .alternatives())
        .hasSize(2);
    assertThat(job("command: x\nneeds: WN;LMP.1024.*.*").stages().getFirst().needs())
        .isEqualTo(PlatformExpression.parse("WN;LMP.1024.*.*"));
  }

  private Requirements.Need need(String needs) {
    return job("command: x\nneeds: " + needs).stages().getFirst().needs().alternatives().getFirst();
  }

  @Test
  void amounts_are_numbers_words_and_grow_by_attempt() {
    Requirements.Need need =
        need("{cores: all, memory: auto, gpus: 0.5, resources: {fpga: 2, no: 0.25}}");
    assertThat(need.wholeMachine()).isTrue();
    assertThat(need.autoMemory()).isTrue();
    assertThat(need.gpus()).isEqualTo(0.5);
    assertThat(need.resources()).isEqualTo(Map.of("fpga", 2.0, "no", 0.25));
    Requirements.Need growing =
        need("{cores: 0.25 * attempt, memory: 2 GB*attempt, resources: {fpga: '1 * attempt'}}");
    assertThat(growing.cores()).isEqualTo(0.25);
    assertThat(growing.memoryBytes()).isEqualTo(2L << 30);
    assertThat(growing.byAttempt()).containsExactlyInAnyOrder("cores", "memory", "fpga");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {cores: -1}               | needs.cores: '-1' is not an amount. Give a number from 0.01 to 100,000 in steps of 0.01, or all.
          {cores: 0}                | needs.cores: '0' is not an amount.
          {cores: 0.001}            | needs.cores: '0.001' is not an amount.
          {cores: 1e9}              | needs.cores: '1e9' is not an amount.
          {cores: many}             | needs.cores: 'many' is not an amount.
          {cores: all * attempt}    | needs.cores: 'all * attempt' is not an amount.
          {gpus: 1.5}               | only an amount below 1 can be fractional.
          {gpus: all}               | needs.gpus: 'all' is not an amount.
          {memory: 8}               | needs.memory: '8' is not a size with a unit. Write it as 512 MB or 2 GB, or auto.
          {memory: -8 GB}           | needs.memory: '-8 GB' is not a size with a unit.
          {memory: auto * attempt}  | needs.memory: 'auto * attempt' is not a size with a unit.
          {disk: auto}              | needs.disk: 'auto' is not a size with a unit.
          {fpga: 1}                 | Resources declared by a machine or the pool go under resources: {fpga: 1}.
          {resources: {fpga: 0}}    | needs.resources.fpga: '0' is not an amount.
          {resources: {'a b': 1}}   | 'a b' is not a valid name.
          {resources: {cores: 1}}   | 'cores' is not a valid resource name.
          {resources: [fpga]}       | This must be a mapping
          """)
  void amounts_that_cannot_be_are_refused(String needs, String message) {
    Reading reading =
        JobFileReader.read("job.yaml", "command: x\nneeds: " + needs, JobFiles.in(folder));
    assertThat(reading.findings().toString()).contains(message);
    assertThat(reading.jobs()).isEmpty();
  }

  @Test
  void a_file_that_is_a_value_goes_to_its_own_tasks_only() throws IOException {
    file("data/a.csv", "1");
    file("data/b.csv", "22");
    file("common.txt", "c");
    String yaml = "command: sort ${f}\nsweep: {f: {files: 'data/*.csv'}}\ninputs: [%s]";
    assertThat(draft(yaml.formatted("common.txt")).files())
        .extracting(file -> file.path() + " " + file.param())
        .containsExactlyInAnyOrder("data/a.csv f", "data/b.csv f", "common.txt ");
    assertThat(draft(yaml.formatted("data/a.csv")).files())
        .extracting(file -> file.path() + " " + file.param())
        .containsExactlyInAnyOrder("data/a.csv ", "data/b.csv f");
  }

  @Test
  void files_folders_patterns_and_variants_become_inputs() throws IOException {
    file("data/a.csv", "a");
    file("data/deep/b.csv", "bb");
    file("data/c.txt", "c");
    file("bin/tool-linux", "l");
    file("bin/tool.exe", "w");
    JobDraft draft =
        draft(
            """
            command: ./tool
            inputs:
              - data/c.txt
              - data/**/*.csv
              - {from: data, as: everything}
              - {linux: bin/tool-linux, windows: bin/tool.exe, as: tool, executable: true}
            """);
    assertThat(draft.files())
        .extracting(f -> f.path() + " " + f.size() + " " + f.os() + " " + f.executable())
        .containsExactly(
            "data/c.txt 1  false",
            "data/a.csv 1  false",
            "data/deep/b.csv 2  false",
            "everything/a.csv 1  false",
            "everything/c.txt 1  false",
            "everything/deep/b.csv 2  false",
            "tool 1 linux true",
            "tool 1 windows true");
  }

  @Test
  void a_draft_is_completed_with_what_was_sent() throws IOException {
    file("in.txt", "x");
    JobDraft draft = draft("command: cat in.txt\ninputs: in.txt");
    InputFile sent = new InputFile("in.txt", new dev.imker.model.BlobId("a".repeat(64)), 1, false);
    assertThat(draft.spec().stages().getFirst().inputs()).isEmpty();
    assertThat(draft.complete(file -> sent).stages().getFirst().inputs()).containsExactly(sent);
  }

  @Test
  void stages_take_the_fields_beside_them_as_defaults() {
    JobSpec job =
        job(
            """
            name: graph
            max-failures: 2
            env: {A: 1, B: 1}
            stages:
              - name: prepare
                command: make data
                results: data.csv
              - name: work
                command: work ${n}
                sweep: {n: 1..4}
                env: {B: 2}
                max-failures: 9
                inputs: {stage: prepare, files: data.csv, into: in}
              - name: again
                command: work ${n}
                sweep: {n: 1..4}
                after: {stage: work, match: each}
              - name: report
                command: report
                after: ['a*', work]
                inputs: [{stage: work, into: 'n${task}'}]
            """);
    assertThat(job.taskCount()).isEqualTo(10);
    Stage work = job.stages().get(1);
    assertThat(work.env()).isEqualTo(Map.of("A", "1", "B", "2"));
    assertThat(work.rules().maxFailures()).isEqualTo(9);
    assertThat(job.stages().getFirst().rules().maxFailures()).isEqualTo(2);
    assertThat(work.dataInputs())
        .containsExactly(
            new DataInput(After.stage("prepare", After.Matching.ALL), "data.csv", "in"));
    assertThat(job.stages().get(2).after())
        .containsExactly(After.stage("work", After.Matching.EACH));
    assertThat(job.stages().get(3).after())
        .containsExactly(
            After.stage("again", After.Matching.ALL), After.stage("work", After.Matching.ALL));
  }

  @Test
  void several_documents_are_several_jobs() {
    Reading reading =
        JobFileReader.read(
            "jobs.yaml",
            "name: a\ncommand: x\n---\nname: b\ncommand: y\n---\n",
            JobFiles.unknown());
    assertThat(reading.orThrow()).extracting(d -> d.spec().name()).containsExactly("a", "b");
  }

  @Test
  void values_stay_as_they_are_written() {
    assertThat(
            job("command: x ${v}\nsweep: {v: [0.10, no, 010, 1e3, '', null-ish, ~]}")
                .stages()
                .getFirst()
                .sweep()
                .getFirst()
                .values())
        .containsExactly("0.10", "no", "010", "1e3", "", "null-ish", "~");
  }

  @Test
  void settings_replace_fields_and_parameters() {
    Map<String, String> settings = Map.of("priority", "9", "seed", "7..8", "env.LANG", "C");
    Reading reading =
        JobFileReader.read(
            "job.yaml",
            "command: run ${seed}\nsweep: {seed: 1..100}".getBytes(StandardCharsets.UTF_8),
            JobFiles.unknown(),
            settings);
    JobSpec job = reading.orThrow().getFirst().spec();
    assertThat(job.priority()).isEqualTo(9);
    assertThat(job.taskCount()).isEqualTo(2);
    assertThat(job.params(0)).containsExactly("7");
    assertThat(job.stages().getFirst().env()).containsEntry("LANG", "C");
  }

  private static Reading set(String yaml, Map<String, String> settings) {
    return JobFileReader.read(
        "job.yaml", yaml.getBytes(StandardCharsets.UTF_8), JobFiles.unknown(), settings);
  }

  @Test
  void a_setting_replaces_a_parameter_in_every_stage_that_has_it() {
    String yaml =
        """
        stages:
          - {name: a, command: 'run ${seed} ${rate}', sweep: {seed: 1..9, rate: [1, 2]}}
          - {name: b, command: 'run ${seed}', sweep: {seed: 1..3}}
          - {name: c, command: run}
        """;
    JobSpec job = set(yaml, Map.of("seed", "7..8")).orThrow().getFirst().spec();
    assertThat(job.stages()).extracting(Stage::taskCount).containsExactly(4L, 2L, 1L);
    assertThat(job.stages().get(2).sweep()).isEmpty();
  }

  @Test
  void a_parameter_that_a_command_names_can_be_set_without_a_sweep() {
    String yaml = "command: [run, '${seed}']\nenv: {RATE: '${rate}'}";
    JobSpec job = set(yaml, Map.of("seed", "1..3", "rate", "1..2")).orThrow().getFirst().spec();
    assertThat(job.taskCount()).isEqualTo(6);
    assertThat(set("command: run", Map.of("sweep.n", "1..5")).orThrow().getFirst().spec())
        .satisfies(added -> assertThat(added.taskCount()).isEqualTo(5));
  }

  @Test
  void a_setting_that_nothing_uses_is_a_mistake() {
    Reading reading =
        set("command: run ${seed}\nsweep: {seed: 1..3}", Map.of("sede", "4", "priority", "2"));
    assertThat(reading.isValid()).isFalse();
    assertThat(reading.findings().getFirst().toString())
        .contains("'sede' cannot be set: the job has no such parameter or field")
        .contains("Did you mean 'seed'? To add a parameter, write sweep.sede=VALUES");
  }

  @Test
  void what_a_task_reads_is_taken_from_a_file_as_it_is() throws IOException {
    file("in.txt", "price: ${PRICE}\n");
    assertThat(job("command: cat\nstdin: {file: in.txt}").stages().getFirst().rules().stdin())
        .isEqualTo("price: $${PRICE}\n");
    file("long.txt", "x".repeat(JobLimits.MAX_STDIN_CHARS));
    assertThat(job("command: cat\nstdin: {file: long.txt}").stages().getFirst().rules().stdin())
        .hasSize(JobLimits.MAX_STDIN_CHARS);
    file("longer.txt", "x".repeat(JobLimits.MAX_STDIN_CHARS + 1));
    Files.write(folder.resolve("latin.txt"), new byte[] {(byte) 0xE4, 'n'});
    assertThat(mistake("stdin: {file: longer.txt}"))
        .contains("longer.txt is longer than")
        .contains("Name it under inputs and write < longer.txt in the command");
    assertThat(mistake("stdin: {file: latin.txt}")).contains("latin.txt is not UTF-8");
    assertThat(mistake("stdin: {file: none.txt}")).contains("none.txt");
  }

  private String mistake(String field) {
    Reading reading = JobFileReader.read("job.yaml", "command: cat\n" + field, JobFiles.in(folder));
    assertThat(reading.isValid()).isFalse();
    return reading.findings().getFirst().toString();
  }

  @Test
  void inputs_of_a_job_are_inputs_of_every_stage_which_may_have_more() throws IOException {
    file("all.txt", "1");
    file("one.txt", "22");
    JobDraft draft =
        draft(
            """
            inputs: all.txt
            stages:
              - {name: a, command: x, inputs: one.txt}
              - {name: b, command: y}
            """);
    assertThat(draft.files())
        .extracting(file -> file.stage() + " " + file.path())
        .containsExactly("0 all.txt", "0 one.txt", "1 all.txt");
  }

  @Test
  void files_are_only_warned_of_where_nobody_can_look_for_them() {
    Reading reading =
        JobFileReader.read("job.yaml", "command: x\ninputs: some.txt", JobFiles.unknown());
    assertThat(reading.isValid()).isTrue();
    assertThat(reading.findings().getFirst().message())
        .isEqualTo("The files some.txt were not checked here.");
  }

  @Test
  void parameters_of_tables_that_nobody_can_look_up_may_be_there() {
    for (String tables : List.of("t.csv", "[{file: t.csv, columns: [a]}]", "[u.csv, t.csv]")) {
      Reading reading =
          JobFileReader.read(
              "job.yaml", "command: x ${a} ${b}\nsweep: {csv: " + tables + "}", JobFiles.unknown());
      assertThat(reading.isValid()).as(tables).isTrue();
      assertThat(reading.findings().getLast().message())
          .isEqualTo("The table t.csv was not checked here.");
    }
    Reading columns =
        JobFileReader.read(
            "job.yaml",
            "command: x ${a}\nsweep: {csv: {file: t.csv, columns: [a]}}",
            JobFiles.unknown());
    assertThat(columns.orThrow().getFirst().spec().stages().getFirst().paramNames())
        .containsExactly("a");
    Reading files =
        JobFileReader.read(
            "job.yaml", "command: x ${f}\nsweep: {f: {files: '*.txt'}}", JobFiles.unknown());
    assertThat(files.findings().getFirst().message())
        .isEqualTo("The files *.txt were not checked here.");
  }

  @Test
  void secrets_become_variables_of_the_tasks() {
    Stage stage = job("command: x\nenv: {A: b}\nsecrets: {TOKEN: my-token}").stages().getFirst();
    assertThat(stage.env()).isEqualTo(Map.of("A", "b", "TOKEN", "${secret:my-token}"));
  }

  @Test
  void a_table_must_have_rows_and_the_columns_that_are_named() throws IOException {
    file("empty.csv", "a,b\n");
    file("bad.csv", "a,b\n1,\"2\n");
    file("one.csv", "city,seed\nRome,1\n");
    Files.write(folder.resolve("latin.csv"), new byte[] {'a', '\n', (byte) 0xE9, '\n'});
    assertThat(messages("sweep: {csv: empty.csv}"))
        .anyMatch(line -> line.contains("empty.csv has 0 rows below its header"));
    assertThat(messages("sweep: {csv: bad.csv}")).anyMatch(line -> line.contains("bad.csv: "));
    assertThat(messages("sweep: {csv: latin.csv}"))
        .anyMatch(line -> line.contains("latin.csv is not UTF-8."));
    assertThat(messages("sweep: {csv: none.csv}"))
        .anyMatch(line -> line.contains("none.csv cannot be read"));
    assertThat(messages("sweep: {csv: {file: one.csv, columns: [town, seed]}}"))
        .anyMatch(line -> line.contains("one.csv has no column 'town'"));
    assertThat(messages("sweep: {f: {files: 'no-*.txt'}}"))
        .anyMatch(line -> line.contains("No file matches 'no-*.txt'."));
  }

  @Test
  void predecessors_that_are_not_there_are_named_with_those_that_are() {
    String stages = "stages: [{name: first, command: x}, {name: second, command: y, ";
    assertThat(messages(stages + "after: frist}]"))
        .anyMatch(
            line -> line.contains("There is no stage 'frist'") && line.contains("mean first?"));
    assertThat(messages(stages + "after: {stage: frist}}]"))
        .anyMatch(
            line -> line.contains("There is no stage 'frist'") && line.contains("mean first?"));
    assertThat(messages(stages + "after: 'third*'}]"))
        .anyMatch(line -> line.contains("No other stage of this job matches 'third*'."))
        .anyMatch(line -> line.contains("Stages: first, second."));
    assertThat(messages(stages + "after: '[a'}]"))
        .anyMatch(line -> line.contains("'[a' is not a pattern"));
    assertThat(messages(stages + "after: {tasks: '12,,13'}}]"))
        .anyMatch(line -> line.contains("after"));
    assertThat(messages("after: first"))
        .anyMatch(line -> line.contains("It has no stages with names."));
  }

  private List<String> messages(String yaml) {
    String text = yaml.startsWith("stages") ? yaml : "command: x\n" + yaml;
    return JobFileReader.read("job.yaml", text, JobFiles.in(folder)).findings().stream()
        .map(Object::toString)
        .toList();
  }

  @Test
  void nobody_gets_out_of_a_confined_folder() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("inner"));
    file("secret.txt", "s");
    Files.createSymbolicLink(inner.resolve("link"), folder.resolve("secret.txt"));
    for (String name : List.of("../secret.txt", folder.resolve("secret.txt").toString(), "link")) {
      Reading reading =
          JobFileReader.read(
              "job.yaml", "command: x\ninputs: '" + name + "'", JobFiles.inside(inner));
      assertThat(reading.isValid()).as(name).isFalse();
      assertThat(reading.findings().getFirst().message()).contains("outside");
    }
  }
}
