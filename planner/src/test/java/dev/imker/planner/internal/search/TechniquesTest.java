package dev.imker.planner.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.planner.BruteForce;
import dev.imker.planner.Instances.Instance;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.RandomProblems;
import dev.imker.planner.internal.basics.Stopwatch;
import dev.imker.planner.internal.ground.GroundAction;
import dev.imker.planner.internal.ground.GroundTask;
import dev.imker.planner.internal.ground.Grounder;
import dev.imker.testbase.Trials;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/** Every technique alone must agree with trying everything. */
class TechniquesTest {
  private static final Solver.Effort GRAPH_ALONE = new Solver.Effort(Long.MAX_VALUE, 0, 0, false);
  private static final Solver.Effort STATES_ALONE = new Solver.Effort(0, 0, Long.MAX_VALUE, false);
  private static final Solver.Effort SAT_ALONE = new Solver.Effort(0, 0, 0, true);

  @Trials(2000)
  void backward_search_agrees_with_brute_force(long seed) {
    check(seed, GRAPH_ALONE);
  }

  @Trials(1000)
  void walking_the_states_agrees_with_brute_force(long seed) {
    check(seed, STATES_ALONE);
  }

  @Trials(1000)
  void satisfiability_agrees_with_brute_force(long seed) {
    Instance instance = RandomProblems.of(seed);
    if (new BruteForce(instance.domain(), instance.problem()).fewestSteps().isPresent()) {
      check(seed, SAT_ALONE);
    }
  }

  private static void check(long seed, Solver.Effort effort) {
    Instance instance = RandomProblems.of(seed);
    OptionalInt fewest = new BruteForce(instance.domain(), instance.problem()).fewestSteps();
    Stopwatch stopwatch = new Stopwatch(Duration.ofSeconds(20), () -> false);

    GroundTask task =
        Grounder.ground(instance.domain(), instance.problem(), Set.of(), null, stopwatch);
    List<List<GroundAction>> steps = Solver.solve(task, effort, stopwatch).steps();

    if (steps == null) {
      assertThat(fewest).isEmpty();
    } else {
      assertThat(fewest).hasValue(steps.size());
      List<List<PlannedAction>> plan =
          steps.stream()
              .map(
                  step ->
                      step.stream().map(a -> new PlannedAction(a.name(), a.arguments())).toList())
              .toList();
      assertThat(new PlanValidator(instance.domain(), instance.problem()).findFault(plan))
          .isEmpty();
    }
  }
}
