package dev.imker.server.plan;

import dev.imker.model.ImkerException;
import dev.imker.model.job.ActionBinding;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.validation.JobNames;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.ActionSchema;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A plan as a job: one stage for each action, after those that it waits for. What an action leaves
 * for a fact goes to those that require the fact.
 */
public final class PlannedStages {
  /**
   * Results of an earlier job that stand for a fact.
   *
   * @param task as a selector
   */
  public record FactFile(String fact, String task, String glob) {}

  private final PlanOrder order;
  private final Domain domain;
  private final PlanDag dag;
  private final List<PlannedAction> undone;
  private final List<FactFile> files;
  private final List<String> names;
  private final List<String> undoNames;

  /**
   * @param undone failed actions, which are cleaned up after before anything else
   * @param files what earlier jobs have left
   * @throws ImkerException if an action has no stage
   */
  public PlannedStages(
      PlanOrder order,
      Domain domain,
      PlanDag dag,
      List<PlannedAction> undone,
      List<FactFile> files) {
    this.order = order;
    this.domain = domain;
    this.dag = dag;
    this.undone = undone.stream().filter(action -> !binding(action).undo().isEmpty()).toList();
    this.files = List.copyOf(files);
    Set<String> taken = new HashSet<>();
    undoNames = this.undone.stream().map(action -> name("undo-", action, taken)).toList();
    names = dag.actions().stream().map(action -> name("", action, taken)).toList();
    for (ActionSchema action : domain.actions()) {
      var _ = template(action.name());
    }
  }

  /** The action of each task; empty where it is an undoing. */
  public List<String> actions() {
    List<String> actions = new ArrayList<>();
    undone.forEach(_ -> actions.add(""));
    dag.actions().forEach(action -> actions.add(action.toString()));
    return actions;
  }

  public JobSpec job(String name) {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < undone.size(); i++) {
      PlannedAction action = undone.get(i);
      stages.add(stage(template(binding(action).undo()), action).withName(undoNames.get(i)));
    }
    for (int i = 0; i < names.size(); i++) {
      stages.add(stage(i));
    }
    return order.job().withName(name).withStages(stages);
  }

  private Stage stage(int number) {
    PlannedAction action = dag.actions().get(number);
    List<After> after = new ArrayList<>();
    undoNames.forEach(name -> after.add(After.stage(name, After.Matching.ALL)));
    dag.predecessors()
        .get(number)
        .forEach(before -> after.add(After.stage(names.get(before), After.Matching.ALL)));
    List<DataInput> inputs = new ArrayList<>();
    binding(action)
        .uses()
        .forEach((pattern, into) -> inputs.addAll(files(number, ground(pattern, action), into)));
    return stage(template(action.name()), action)
        .withName(names.get(number))
        .withAfter(after)
        .withDataInputs(inputs);
  }

  /** Where the files of a fact come from; from nowhere if it holds from the start. */
  private List<DataInput> files(int number, String fact, String folder) {
    String into = folder.equals(".") ? "" : folder;
    for (PlanDag.Edge edge : dag.edges()) {
      if (edge.to() == number
          && edge.reason() == PlanDag.Reason.PRODUCES
          && edge.literal().equals(fact)) {
        String glob = madeBy(dag.actions().get(edge.from())).get(fact);
        After from = After.stage(names.get(edge.from()), After.Matching.ALL);
        return glob == null ? List.of() : List.of(new DataInput(from, glob, into));
      }
    }
    return files.stream()
        .filter(file -> file.fact().equals(fact))
        .map(file -> new DataInput(After.tasks(file.task()), file.glob(), into))
        .toList();
  }

  /** What an action leaves: globs by fact. */
  public Map<String, String> madeBy(PlannedAction action) {
    Map<String, String> made = new LinkedHashMap<>();
    binding(action)
        .makes()
        .forEach((pattern, glob) -> made.put(ground(pattern, action), filled(glob, action)));
    return made;
  }

  private Stage stage(Stage template, PlannedAction action) {
    Map<String, String> objects = objects(action);
    List<SweepAxis> sweep =
        objects.entrySet().stream()
            .map(entry -> SweepAxis.of(entry.getKey(), List.of(entry.getValue())))
            .toList();
    return new Stage(
        template.name(),
        template.command(),
        template.payload(),
        sweep,
        template.env(),
        template.inputs(),
        List.of(),
        template.outputs(),
        template.needs(),
        template.rules(),
        List.of());
  }

  private Map<String, String> objects(PlannedAction action) {
    ActionSchema schema =
        domain.actions().stream()
            .filter(one -> one.name().equals(action.name()))
            .findFirst()
            .orElseThrow();
    Map<String, String> objects = new LinkedHashMap<>();
    IntStream.range(0, schema.parameters().size())
        .forEach(
            i ->
                objects.put(
                    schema.parameters().get(i).name().substring(1), action.arguments().get(i)));
    return objects;
  }

  private String ground(String pattern, PlannedAction action) {
    PlannedAction read = parse(pattern);
    Map<String, String> objects = objects(action);
    List<String> terms =
        read.arguments().stream()
            .map(
                term ->
                    Atom.isVariable(term) ? objects.getOrDefault(term.substring(1), term) : term)
            .toList();
    return new Atom(read.name(), terms).toString();
  }

  private String filled(String text, PlannedAction action) {
    String filled = text;
    for (Map.Entry<String, String> object : objects(action).entrySet()) {
      filled = filled.replace("${" + object.getKey() + "}", object.getValue());
    }
    return filled;
  }

  /** Reads {@code (load f1 p a)}. */
  public static PlannedAction parse(String text) {
    List<String> words =
        List.of(
            text.replaceAll("[()]", " ").strip().toLowerCase(java.util.Locale.ROOT).split("\\s+"));
    return new PlannedAction(words.getFirst(), words.subList(1, words.size()));
  }

  /** Names of the parameters of each action, without question marks. */
  public static Map<String, List<String>> parameters(Domain domain) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    domain
        .actions()
        .forEach(
            action ->
                parameters.put(
                    action.name(),
                    action.parameters().stream().map(one -> one.name().substring(1)).toList()));
    return parameters;
  }

  private ActionBinding binding(PlannedAction action) {
    return order.actions().stream()
        .filter(one -> one.action().equals(action.name()))
        .findFirst()
        .orElse(new ActionBinding(action.name(), "", Map.of(), Map.of(), 0));
  }

  private Stage template(String name) {
    return order.job().stages().stream()
        .filter(stage -> stage.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ImkerException(
                    "No command is bound to '%s': the job has no stage with that name."
                        .formatted(name)));
  }

  private static String name(String prefix, PlannedAction action, Set<String> taken) {
    List<String> words = new ArrayList<>(List.of(prefix + action.name()));
    words.addAll(action.arguments());
    String name = JobNames.from(String.join("-", words));
    String free = name;
    for (int i = 2; !taken.add(free); i++) {
      free = name + "_" + i;
    }
    return free;
  }
}
