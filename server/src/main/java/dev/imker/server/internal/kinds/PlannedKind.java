package dev.imker.server.internal.kinds;

import dev.imker.model.InputException;
import dev.imker.model.job.Placeholders;
import dev.imker.model.kind.TaskKind;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A task for every action of a plan, after those whose effects it needs. */
public final class PlannedKind implements TaskKind {
  private static final int MAX_SECONDS = 20;

  @Override
  public String name() {
    return "planned";
  }

  @Override
  public String description() {
    return "One task per action of the plan found for a PDDL problem.";
  }

  @Override
  public List<Field> fields() {
    return List.of(
        Field.required("domain", Type.TEXT, "The PDDL domain."),
        Field.required("problem", Type.TEXT, "The PDDL problem."),
        Field.optional(
            "command",
            Type.TEXT,
            "${action} ${arguments}",
            "The command of a task; ${action} and ${arguments} come from the plan."),
        Field.optional("program", Type.FILE, "", "A file to send with every task."),
        Field.optional(
            "seconds",
            Type.NUMBER,
            Integer.toString(MAX_SECONDS),
            "How long to search for a plan; at most " + MAX_SECONDS + "."));
  }

  @Override
  public Map<String, Object> job(Map<String, String> values) {
    PlanDag dag = plan(values);
    List<Object> stages = new ArrayList<>();
    for (int i = 0; i < dag.actions().size(); i++) {
      PlannedAction action = dag.actions().get(i);
      Map<String, String> filled =
          Map.of("action", action.name(), "arguments", String.join(" ", action.arguments()));
      Map<String, Object> stage = new LinkedHashMap<>();
      stage.put("name", name(dag, i));
      stage.put(
          "command",
          Placeholders.expand(
                  values.getOrDefault("command", ""),
                  name -> filled.getOrDefault(name, "${" + name + "}"))
              .strip());
      stage.put("after", dag.predecessors().get(i).stream().map(n -> name(dag, n)).toList());
      stages.add(stage);
    }
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("stages", stages);
    if (!values.getOrDefault("program", "").isEmpty()) {
      job.put("inputs", List.of(values.getOrDefault("program", "")));
    }
    return job;
  }

  private static String name(PlanDag dag, int number) {
    String word = dag.actions().get(number).name().replaceAll("[^\\p{L}\\p{N}-]", "");
    return "t" + (number + 1) + "-" + word;
  }

  private static PlanDag plan(Map<String, String> values) {
    String field = "domain";
    try {
      Domain domain = Pddl.domain(values.getOrDefault("domain", ""));
      field = "problem";
      Problem problem = Pddl.problem(values.getOrDefault("problem", ""), domain);
      long seconds = Math.clamp(Long.parseLong(values.getOrDefault("seconds", "")), 1, MAX_SECONDS);
      PlanResult result = Planner.plan(domain, problem, PlanLimits.of(Duration.ofSeconds(seconds)));
      if (result.status() != PlanStatus.SOLVED) {
        throw new InputException("There is no plan: %s.".formatted(result.status().label()));
      }
      PlanDag dag = PlanDag.of(domain, problem, result.steps());
      if (dag.actions().isEmpty()) {
        throw new InputException("Nothing to do: the goal already holds.");
      }
      return dag;
    } catch (PddlException e) {
      throw new InputException("The " + field + ", " + e.getMessage() + ".");
    }
  }
}
