package dev.imker.jobfile;

import dev.imker.jobfile.internal.form.JobForm;
import dev.imker.jobfile.internal.form.NeedsKind;
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
import dev.imker.model.validation.JobDefaults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Writes a job as a job file. Reading the file yields the same job; input files are referred to by
 * their content, which the pool has.
 */
public final class JobFileWriter {
  private JobFileWriter() {}

  public static String write(JobSpec job) {
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("imker", JobForm.VERSION);
    if (!job.name().isEmpty()) {
      file.put("name", job.name());
    }
    file.put("project", job.project());
    if (job.kind() != JobKind.COMMAND) {
      file.put("kind", job.kind().name().toLowerCase(Locale.ROOT));
    }
    if (job.priority() != JobSpec.DEFAULT_PRIORITY) {
      file.put("priority", job.priority());
    }
    putJobRules(job, file);
    if (job.stages().size() == 1 && job.stages().getFirst().name().isEmpty()) {
      putStage(job.stages().getFirst(), file);
    } else {
      List<Map<String, Object>> stages = new ArrayList<>();
      for (Stage stage : job.stages()) {
        Map<String, Object> one = new LinkedHashMap<>();
        if (!stage.name().isEmpty()) {
          one.put("name", stage.name());
        }
        putStage(stage, one);
        stages.add(one);
      }
      file.put("stages", stages);
    }
    return new Dump(
            DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setWidth(100)
                .setSplitLines(false)
                .setDereferenceAliases(true)
                .build())
        .dumpToString(file);
  }

  private static void putJobRules(JobSpec job, Map<String, Object> file) {
    OnFailure onFailure = job.onFailure();
    if (onFailure.way() == OnFailure.Way.RESTART) {
      file.put("on-failure", Map.of("restart", onFailure.limit()));
    } else if (!onFailure.equals(OnFailure.CARRY_ON)) {
      file.put("on-failure", onFailure.way().name().toLowerCase(Locale.ROOT));
    }
    Notices notices = job.notices();
    if (!notices.equals(Notices.NOBODY)) {
      Map<String, Object> told = new LinkedHashMap<>();
      putAll(told, "mail", notices.mail());
      putAll(told, "web-hook", notices.webHooks());
      file.put("notify", told);
    }
  }

  private static void putAll(Map<String, Object> target, String name, Collection<String> texts) {
    if (!texts.isEmpty()) {
      target.put(name, new ArrayList<>(texts));
    }
  }

  private static void putText(Map<String, Object> target, String name, String text) {
    if (!text.isEmpty()) {
      target.put(name, text);
    }
  }

  // ---------------------------------------------------------------- stages

  private static void putStage(Stage stage, Map<String, Object> target) {
    if (!stage.command().isEmpty()) {
      target.put(
          "command", stage.command().size() == 1 ? stage.command().getFirst() : stage.command());
    }
    putText(target, "payload", stage.payload());
    if (!stage.sweep().isEmpty()) {
      target.put("sweep", SweepWriter.write(stage.sweep()));
    }
    List<Object> inputs = new ArrayList<>();
    stage.inputs().forEach(file -> inputs.add(input(file)));
    stage.dataInputs().forEach(data -> inputs.add(data(data)));
    if (!inputs.isEmpty()) {
      target.put("inputs", inputs);
    }
    if (!stage.outputs().equals(JobDefaults.OUTPUTS)) {
      target.put("results", stage.outputs());
    }
    putNeeds(stage.needs(), target);
    putAfter("after", stage, false, target);
    putAfter("after-any", stage, true, target);
    if (!stage.env().isEmpty()) {
      target.put("env", new TreeMap<>(stage.env()));
    }
    putRules(stage.rules(), target);
  }

  private static Map<String, Object> input(InputFile file) {
    Map<String, Object> input = new LinkedHashMap<>();
    input.put("blob", file.blob().sha256());
    input.put("size", file.size());
    input.put("as", file.path());
    if (file.executable()) {
      input.put("executable", true);
    }
    putText(input, "os", file.os());
    putText(input, "param", file.param());
    return input;
  }

  private static void putAfter(String field, Stage stage, boolean any, Map<String, Object> target) {
    List<Map<String, Object>> all =
        stage.after().stream()
            .filter(after -> after.any() == any)
            .map(JobFileWriter::after)
            .toList();
    if (!all.isEmpty()) {
      target.put(field, all);
    }
  }

  private static Map<String, Object> after(After after) {
    Map<String, Object> result = new LinkedHashMap<>();
    putText(result, "stage", after.stage());
    putText(result, "data", after.data());
    putText(result, "tasks", after.data().isEmpty() ? after.tasks() : "");
    if (after.matching() != After.Matching.ALL) {
      result.put("match", after.matching().name().toLowerCase(Locale.ROOT));
    }
    return result;
  }

  private static Map<String, Object> data(DataInput data) {
    Map<String, Object> result = after(data.from());
    result.put("files", data.glob());
    putText(result, "into", data.into());
    return result;
  }

  // ---------------------------------------------------------------- needs and rules

  private static void putNeeds(Requirements needs, Map<String, Object> target) {
    if (needs.alternatives().size() == 1) {
      target.put("needs", NeedsKind.written(needs.alternatives().getFirst()));
    } else if (!needs.alternatives().isEmpty()) {
      target.put(
          "needs",
          Map.of("any-of", needs.alternatives().stream().map(NeedsKind::written).toList()));
    }
  }

  private static void putRules(TaskRules rules, Map<String, Object> target) {
    boolean speculative = TaskRules.defaultSpeculative(rules.checkpoints());
    TaskRules usual = TaskRules.USUAL.withSpeculative(speculative);
    JobForm.RULES.forEach(rule -> rule.write(rules, usual, target));
    putText(target, "stdin", rules.stdin());
  }
}
