package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobSealTest {
  private static final BlobId BLOB = new BlobId("ab".repeat(32));

  /** When, where and how often a task runs; none of it changes what it does. */
  private static final Set<String> SCHEDULING =
      Set.of(
          "maxFailures",
          "maxRuntimeMillis",
          "backoffMillis",
          "speculative",
          "quorum",
          "pin",
          "trust",
          "checkpointMillis",
          "gang",
          "atMost",
          "maxMemoryBytes",
          "publish",
          "startMillis");

  /** Who sent it and under which names; a signature is for whoever has the same thing run. */
  private static final Set<String> NAMES = Set.of("job", "stage", "user", "project", "jobName");

  private static TaskTemplate template() {
    return TaskTemplate.of(
        new JobId(1),
        "ann",
        JobSpec.of("j", "p", JobKind.COMMAND, Stage.of(List.of("x"), List.of())),
        0);
  }

  private static TaskTemplate ruled(TaskRules rules) {
    TaskTemplate one = template();
    return new TaskTemplate(
        one.job(),
        one.stage(),
        one.user(),
        one.project(),
        one.jobName(),
        one.kind(),
        one.command(),
        one.payload(),
        one.paramNames(),
        one.env(),
        one.inputs(),
        one.outputs(),
        rules);
  }

  private static TaskTemplate task(
      JobKind kind,
      String command,
      String payload,
      String param,
      Map<String, String> env,
      List<InputFile> inputs,
      String output) {
    return new TaskTemplate(
        new JobId(1),
        0,
        "ann",
        "p",
        "j",
        kind,
        List.of(command),
        payload,
        List.of(param),
        env,
        inputs,
        List.of(output),
        TaskRules.USUAL);
  }

  /** By the component that differs from the usual. */
  private static Map<String, TaskTemplate> changed() {
    Map<String, TaskTemplate> all = new TreeMap<>();
    JobKind command = JobKind.COMMAND;
    all.put("", task(command, "x", "", "p", Map.of(), List.of(), "o"));
    all.put("kind", task(JobKind.NOOP, "x", "", "p", Map.of(), List.of(), "o"));
    all.put("command", task(command, "y", "", "p", Map.of(), List.of(), "o"));
    all.put("payload", task(command, "x", "y", "p", Map.of(), List.of(), "o"));
    all.put("paramNames", task(command, "x", "", "y", Map.of(), List.of(), "o"));
    all.put("env", task(command, "x", "", "p", Map.of("A", "b"), List.of(), "o"));
    InputFile file = new InputFile("script", BLOB, 1, false, "", "");
    all.put("inputs", task(command, "x", "", "p", Map.of(), List.of(file), "o"));
    all.put("outputs", task(command, "x", "", "p", Map.of(), List.of(), "y"));
    all.put("stdin", ruled(TaskRules.USUAL.with(draft -> draft.stdin = "rm -rf .")));
    all.put("folder", ruled(TaskRules.USUAL.with(draft -> draft.folder = "rm -rf .")));
    all.put("network", ruled(TaskRules.USUAL.with(draft -> draft.network = true)));
    all.put("checkpoints", ruled(TaskRules.USUAL.with(draft -> draft.checkpoints = List.of("s"))));
    return all;
  }

  @Test
  void everything_that_changes_what_a_task_does_is_signed() {
    Map<String, TaskTemplate> changed = changed();
    Set<String> texts = new HashSet<>();
    changed.values().forEach(template -> texts.add(JobSeal.text(template)));
    assertThat(texts).hasSameSizeAs(changed.keySet());
  }

  @Test
  void whoever_adds_a_field_says_whether_it_is_signed() {
    Set<String> known = new HashSet<>(changed().keySet());
    known.addAll(SCHEDULING);
    known.addAll(NAMES);
    known.add("rules");
    assertThat(
            Stream.of(TaskTemplate.class, TaskRules.class)
                .flatMap(type -> Stream.of(type.getRecordComponents()))
                .map(RecordComponent::getName))
        .isSubsetOf(known);
  }

  @Test
  void no_two_tasks_have_the_same_text_by_where_their_words_end() {
    assertThat(JobSeal.text(task(JobKind.COMMAND, "x\n1:y", "", "p", Map.of(), List.of(), "o")))
        .isNotEqualTo(
            JobSeal.text(task(JobKind.COMMAND, "x", "1:y", "p", Map.of(), List.of(), "o")));
  }
}
