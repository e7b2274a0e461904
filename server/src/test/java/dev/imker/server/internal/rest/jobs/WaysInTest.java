package dev.imker.server.internal.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.JobFileWriter;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.BlobId;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Json;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The same job is the same, whichever way it comes: as YAML, as JSON, or as a record. */
class WaysInTest {
  private static final String PLAIN_YAML = "command: x\n";

  @Trials(400)
  void a_job_is_the_same_as_yaml_as_short_json_and_as_full_json(Generator random) {
    JobSpec job = job(random);
    String said = JobFileWriter.write(job);
    assertThat(JobJson.require(job)).as(said).isEqualTo(job);
    JsonNode full = Json.MAPPER.valueToTree(job); // what the command and the Java client send
    assertThat(JobJson.require(JobJson.read(full))).as(said).isEqualTo(job);
    assertThat(JobJson.require(JobJson.read(shortened(full)))).as(said).isEqualTo(job);
    Reading yaml = JobFileReader.read("job.yaml", JobFileWriter.write(job), JobFiles.unknown());
    assertThat(yaml.orThrow().getFirst().spec()).as(said).isEqualTo(job);
  }

  @Test
  void what_is_left_out_is_the_same_everywhere() {
    JobSpec yaml =
        JobFileReader.read("x.yaml", PLAIN_YAML, JobFiles.unknown()).orThrow().getFirst().spec();
    JobSpec json =
        JobJson.require(
            JobJson.read(
                Json.MAPPER
                    .createObjectNode()
                    .set("command", Json.MAPPER.createArrayNode().add("x"))));
    assertThat(json).isEqualTo(yaml);
    assertThat(json.stages().getFirst().rules()).isEqualTo(TaskRules.USUAL);
    assertThat(json.stages().getFirst().rules().speculative()).isTrue();
  }

  @Test
  void a_checkpoint_brings_the_same_rules_everywhere() {
    JobSpec yaml =
        JobFileReader.read("x.yaml", PLAIN_YAML + "checkpoint: {files: s}\n", JobFiles.unknown())
            .orThrow()
            .getFirst()
            .spec();
    ObjectNode json = Json.MAPPER.createObjectNode();
    json.putArray("command").add("x");
    json.putObject("rules").putArray("checkpoints").add("s");
    assertThat(JobJson.require(JobJson.read(json))).isEqualTo(yaml);
    assertThat(yaml.stages().getFirst().rules().speculative()).isFalse();
  }

  @Trials(400)
  void what_is_refused_is_refused_everywhere(Generator random) {
    JobSpec job = spoilt(job(random), random);
    String text = JobFileWriter.write(job);
    boolean byYaml = !JobFileReader.read("job.yaml", text, JobFiles.unknown()).isValid();
    assertThat(byYaml).as(text).isEqualTo(isRefused(job));
  }

  private static boolean isRefused(JobSpec job) {
    try {
      JobJson.require(JobJson.read(Json.MAPPER.<JsonNode>valueToTree(job)));
      return false;
    } catch (ApiException e) {
      return true;
    }
  }

  // ---------------------------------------------------------------- jobs

  /** Without what goes without saying, and a job of one stage without its list of stages. */
  private static ObjectNode shortened(JsonNode full) {
    ObjectNode job = full.deepCopy();
    job.remove("version");
    JsonNode stages = job.get("stages");
    if (stages.size() == 1 && stages.get(0).get("name").asText().isEmpty()) {
      job.remove("stages");
      ObjectNode stage = stages.get(0).deepCopy();
      stage.remove("name");
      job.setAll(stage);
      shortenStage(job);
    } else {
      stages.forEach(stage -> shortenStage((ObjectNode) stage));
    }
    if (job.get("priority").asInt() == JobSpec.DEFAULT_PRIORITY) {
      job.remove("priority");
    }
    if (job.get("onFailure").get("way").asText().equals("CARRY_ON")) {
      job.remove("onFailure");
    }
    return job;
  }

  private static void shortenStage(ObjectNode stage) {
    List<String> names = new ArrayList<>();
    stage.fieldNames().forEachRemaining(names::add);
    names.remove("outputs"); // none at all is not what is usual
    for (String name : names) {
      JsonNode value = stage.get(name);
      if (value.isContainerNode() && value.isEmpty()) {
        stage.remove(name);
      }
    }
    if (stage.get("outputs").equals(Json.MAPPER.createArrayNode().add("*"))) {
      stage.remove("outputs");
    }
    ObjectNode rules = (ObjectNode) stage.get("rules");
    boolean checkpoints = !rules.get("checkpoints").isEmpty();
    if (rules.get("speculative").asBoolean() != checkpoints) {
      rules.remove("speculative");
    }
    if (rules.get("maxFailures").asInt() == TaskRules.DEFAULT_MAX_FAILURES) {
      rules.remove("maxFailures");
    }
  }

  private static JobSpec job(Random random) {
    List<Stage> stages = new ArrayList<>();
    int count = random.nextBoolean() ? 1 : 2 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      stages.add(stage(random, count == 1 ? "" : "s" + i, stages));
    }
    OnFailure onFailure =
        switch (random.nextInt(3)) {
          case 0 -> OnFailure.CARRY_ON;
          case 1 -> new OnFailure(OnFailure.Way.ABORT, 0);
          default -> new OnFailure(OnFailure.Way.RESTART, 1 + random.nextInt(5));
        };
    return new JobSpec(
        JobSpec.CURRENT_VERSION,
        "some-job",
        random.nextBoolean() ? "default" : "other",
        JobKind.COMMAND,
        random.nextInt(10),
        stages,
        onFailure,
        random.nextBoolean()
            ? Notices.NOBODY
            : new Notices(List.of("a@example.org"), List.of("https://example.org/h")));
  }

  private static Stage stage(Random random, String name, List<Stage> before) {
    List<After> after = new ArrayList<>();
    List<DataInput> data = new ArrayList<>();
    for (Stage other : before) {
      After from = After.stage(other.name(), After.Matching.ALL);
      if (random.nextBoolean()) {
        after.add(from);
      } else {
        data.add(new DataInput(from, "*.csv", random.nextBoolean() ? "" : "in/${task}"));
      }
    }
    List<SweepAxis> sweep = new ArrayList<>();
    if (random.nextBoolean()) {
      sweep.add(SweepAxis.range("n", 1, 1 + random.nextInt(9), 1, 0));
    }
    if (random.nextBoolean()) {
      sweep.add(SweepAxis.of("word", List.of("a", "[b", "c d")));
    }
    List<InputFile> inputs =
        random.nextBoolean()
            ? List.of()
            : List.of(new InputFile("in/a", new BlobId("0a".repeat(32)), 5, random.nextBoolean()));
    List<String> outputs =
        switch (random.nextInt(3)) {
          case 0 -> List.of("*");
          case 1 -> List.of();
          default -> List.of("out-${task}*.txt", "sub/**");
        };
    Requirements needs =
        random.nextBoolean() ? Requirements.ANY : new Requirements(List.of(need(random)));
    return new Stage(
        name,
        random.nextBoolean() ? List.of("echo ${task}") : List.of("echo", "a b"),
        "",
        sweep,
        random.nextBoolean() ? Map.of() : Map.of("A", "${job}"),
        inputs,
        data,
        outputs,
        needs,
        rules(random),
        after);
  }

  private static Requirements.Need need(Random random) {
    boolean whole = random.nextBoolean();
    boolean auto = random.nextBoolean();
    return new Requirements.Need(
        Set.of("linux"),
        Set.of(),
        whole ? 0 : random.nextInt(400) / 100.0,
        random.nextBoolean() ? 0.5 : random.nextInt(3),
        auto ? 0 : 1 << 20,
        0,
        Set.of("fast"),
        Map.of(),
        0,
        whole,
        random.nextBoolean() ? Map.of() : Map.of("fpga", 2.0, "db", 0.25),
        auto,
        auto || random.nextBoolean() ? Set.of() : Set.of("memory"));
  }

  @Test
  void whole_amounts_are_written_without_a_point() {
    JobSpec job =
        JobFileReader.read(
                "x.yaml",
                PLAIN_YAML + "needs: {cores: 2, gpus: 0.5, resources: {fpga: 1}}\n",
                JobFiles.unknown())
            .orThrow()
            .getFirst()
            .spec();
    String json = new String(Json.bytes(job), StandardCharsets.UTF_8);
    assertThat(json).contains("\"cores\":2,", "\"gpus\":0.5,", "\"resources\":{\"fpga\":1}");
  }

  private static TaskRules rules(Random random) {
    boolean checkpoint = random.nextBoolean();
    return new TaskRules(
        random.nextBoolean() ? 5 : 1 + random.nextInt(9),
        random.nextInt(3) * 60_000L,
        random.nextInt(3) * 1000L,
        !checkpoint && random.nextBoolean(),
        1 + random.nextInt(3),
        random.nextBoolean() ? "" : "host-1",
        random.nextInt(10),
        random.nextBoolean(),
        checkpoint ? List.of("state*") : List.of(),
        checkpoint ? 60_000L : 0,
        random.nextBoolean() ? "" : "some text",
        random.nextBoolean() ? "" : "run-${task}",
        false,
        random.nextInt(3),
        random.nextInt(3) * 1234L);
  }

  /** The job with one thing that may be wrong. */
  private static JobSpec spoilt(JobSpec job, Random random) {
    List<Stage> stages = new ArrayList<>(job.stages());
    Stage stage = stages.getLast();
    InputFile file = new InputFile("a/b", new BlobId("0b".repeat(32)), 1, false);
    Stage other =
        switch (random.nextInt(9)) {
          case 0 -> stage.withFiles(stage.inputs(), List.of("../x"));
          case 1 -> stage.withFiles(stage.inputs(), List.of("[${task}]"));
          case 2 -> stage.withRules(stage.rules().with(rules -> rules.folder = "/tmp"));
          case 3 -> stage.withRules(stage.rules().with(rules -> rules.checkpoints = List.of("[")));
          case 4 -> stage.withRules(stage.rules().with(rules -> rules.quorum = 21));
          case 5 -> stage.withEnv(Map.of("A", "${unknown}"));
          case 6 -> stage.withFiles(List.of(file, named(file, "a")), stage.outputs());
          case 7 -> stage.withFiles(List.of(named(file, "n".repeat(256))), stage.outputs());
          default -> stage;
        };
    stages.set(stages.size() - 1, other);
    return job.withStages(stages);
  }

  private static InputFile named(InputFile file, String path) {
    return new InputFile(path, file.blob(), file.size(), file.executable());
  }
}
