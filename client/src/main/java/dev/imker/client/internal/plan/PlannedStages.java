package dev.imker.client.internal.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.http.RestClient;
import dev.imker.client.internal.pool.JavaJob;
import dev.imker.client.internal.shipping.ActionSource;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.client.plan.FailureStrategy;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.LibrarySeal;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Stage;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.actions.ActionDescription;
import dev.imker.tasks.values.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** A plan as a job: one stage with one task per action, after those that it waits for. */
public record PlannedStages(
    PlanDag dag,
    ActionSource actions,
    Map<String, Object> given,
    FailureStrategy strategy,
    ExecutorOptions options) {
  /** The file in which a task leaves its values for later ones. */
  private static final String VALUE_FILE = "value.cbor";

  private static final String STATE_FOLDER = "state/";

  /** Field of the payload, or input, with the values that the job has. */
  private static final String GIVEN = "given";

  private static final int LONGEST_NAME = 60;

  int size() {
    return dag.actions().size();
  }

  List<Integer> predecessors(int task) {
    return dag.predecessors().get(task);
  }

  /** All tasks that must be done before, in their order. */
  private SortedSet<Integer> ancestors(int task) {
    SortedSet<Integer> ancestors = new TreeSet<>();
    Deque<Integer> open = new ArrayDeque<>(predecessors(task));
    for (Integer before = open.poll(); before != null; before = open.poll()) {
      if (ancestors.add(before)) {
        open.addAll(predecessors(before));
      }
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

  /**
   * @throws dev.imker.tasks.values.ValueException if something that the job has cannot travel
   */
  void requireShippable() {
    var _ = Values.encode(given, "What the job has");
  }

  /**
   * @param scope of the names by which its tasks wait for each other
   */
  JavaJob job(Shipping.Library library, String scope, List<LibrarySeal> seals) {
    return new JavaJob(options, library, scope, seals);
  }

  byte[] toJson(JavaJob java) {
    ObjectNode values = RestClient.JSON.createObjectNode();
    java.value(values, GIVEN, GIVEN, Values.encode(given, "What the job has"));
    List<Stage> stages = new ArrayList<>();
    for (int task = 0; task < size(); task++) {
      stages.add(stage(java, task, values));
    }
    return java.job(stages, new OnFailure(strategy.way(), strategy.restarts()));
  }

  private ObjectNode payload(JavaJob java, int task, ObjectNode values) {
    ObjectNode payload = java.payload();
    ObjectNode action = payload.putObject("action");
    action.put("class", className(task));
    action.setAll(values);
    ObjectNode arguments = action.putObject("arguments");
    arguments(task).forEach(arguments::put);
    return payload;
  }

  private Stage stage(JavaJob java, int task, ObjectNode values) {
    ObjectNode payload = payload(java, task, values);
    Stage stage = java.stage(payload, List.of(), List.of(VALUE_FILE), strategy.reruns() + 1);
    List<DataInput> data = new ArrayList<>();
    for (int before : ancestors(task)) {
      After from = After.stage(stageName(before), After.Matching.ALL);
      data.add(new DataInput(from, VALUE_FILE, STATE_FOLDER + "%05d".formatted(before)));
    }
    return stage
        .withName(stageName(task))
        .withRules(
            stage
                .rules()
                .withBackoff(strategy.backoff().toMillis())
                .withLimits(strategy.reruns() + 1, options.maxRuntime().toMillis()))
        .withDataInputs(data);
  }
}
