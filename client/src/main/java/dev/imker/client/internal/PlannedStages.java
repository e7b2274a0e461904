package dev.imker.client.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.ExecutorOptions;
import dev.imker.client.FailureStrategy;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.actions.ActionDescription;
import dev.imker.tasks.values.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A plan as a job: one stage with one task per action, after those that it waits for. */
public record PlannedStages(
    String name,
    PlanDag dag,
    ActionSource actions,
    Map<String, Object> given,
    FailureStrategy strategy) {
  /** The file in which a task leaves its values for later ones. */
  private static final String VALUE_FILE = "value.cbor";

  private static final String STATE_FOLDER = "state/";
  private static final int LONGEST_NAME = 60;
  private static final int UNDO_ATTEMPTS = 3;

  int size() {
    return dag.actions().size();
  }

  List<Integer> predecessors(int task) {
    return dag.predecessors().get(task);
  }

  /** All tasks that must be done before, in their order. */
  private SortedSet<Integer> ancestors(int task) {
    SortedSet<Integer> ancestors = new TreeSet<>();
    for (int before : predecessors(task)) {
      ancestors.add(before);
      ancestors.addAll(ancestors(before));
    }
    return ancestors;
  }

  String className(int task) {
    return dag.actions().get(task).name();
  }

  /** Names of values by parameter. */
  Map<String, String> arguments(int task) {
    PlannedAction action = dag.actions().get(task);
    ActionDescription description = actions.action(action.name());
    Map<String, String> arguments = new LinkedHashMap<>();
    for (int i = 0; i < description.parameters().size(); i++) {
      arguments.put(description.parameters().get(i).name(), action.arguments().get(i));
    }
    return arguments;
  }

  /** Letters and digits, unique in the job. */
  String stageName(int task) {
    String simple = className(task).replaceAll(".*[.$]", "").replaceAll("[^\\p{L}\\p{N}]", "");
    return "t" + (task + 1) + "-" + simple.substring(0, Math.min(simple.length(), LONGEST_NAME));
  }

  /** The job as REST takes it. */
  byte[] toJson(Shipping.Library library) {
    JavaJob java = new JavaJob(ExecutorOptions.USUAL.withName(name), library);
    ObjectNode job = java.job();
    byte[] values = Values.encode(given, "What the job has");
    ArrayNode stages = job.putArray("stages");
    for (int task = 0; task < size(); task++) {
      stages.add(stage(java, task, values));
    }
    return RestClient.bytes(job);
  }

  /**
   * The job that undoes tasks, one after the other.
   *
   * @param done the tasks in the order in which they are to be undone, with what each of them left
   */
  byte[] undoJson(Shipping.Library library, Map<Integer, Map<String, Object>> done) {
    JavaJob java = new JavaJob(ExecutorOptions.USUAL.withName(name + "-undo"), library);
    ObjectNode job = java.job();
    ArrayNode stages = job.putArray("stages");
    String before = "";
    for (Map.Entry<Integer, Map<String, Object>> entry : done.entrySet()) {
      int task = entry.getKey();
      Map<String, Object> values = new LinkedHashMap<>(given);
      ancestors(task).forEach(earlier -> values.putAll(done.getOrDefault(earlier, Map.of())));
      values.putAll(entry.getValue());
      ObjectNode stage = stages.addObject();
      stage.put("name", stageName(task));
      stage.put("payload", payload(java, task, Values.encode(values, "A value"), true));
      stage.set("inputs", java.inputs().deepCopy());
      stage.putObject("rules").put("maxFailures", UNDO_ATTEMPTS);
      if (!before.isEmpty()) {
        stage.putArray("after").addObject().put("stage", before).put("matching", "ALL");
      }
      before = stageName(task);
    }
    return RestClient.bytes(job);
  }

  private String payload(JavaJob java, int task, byte[] values, boolean undo) {
    ObjectNode payload = java.payload();
    ObjectNode action = payload.putObject("action");
    action.put("class", className(task));
    action.put("given", values);
    action.put("undo", undo);
    ObjectNode arguments = action.putObject("arguments");
    arguments(task).forEach(arguments::put);
    return payload.toString();
  }

  private ObjectNode stage(JavaJob java, int task, byte[] values) {
    ObjectNode stage = RestClient.JSON.createObjectNode();
    stage.put("name", stageName(task));
    stage.put("payload", payload(java, task, values, false));
    stage.set("inputs", java.inputs().deepCopy());
    stage.putArray("outputs").add(VALUE_FILE);
    ObjectNode rules = stage.putObject("rules");
    rules.put("maxFailures", strategy.reruns() + 1);
    rules.put("backoffMillis", strategy.backoff().toMillis());
    ArrayNode data = stage.putArray("dataInputs");
    for (int before : ancestors(task)) {
      ObjectNode input = data.addObject();
      input.putObject("from").put("stage", stageName(before)).put("matching", "ALL");
      input.put("glob", VALUE_FILE);
      input.put("into", STATE_FOLDER + "%05d".formatted(before));
    }
    return stage;
  }
}
