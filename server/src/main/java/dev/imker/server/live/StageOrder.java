package dev.imker.server.live;

import dev.imker.model.job.After;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Brings the stages of a job into an order in which each comes after those it waits for. */
public final class StageOrder {
  private final List<Stage> stages;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<Integer> entered = new LinkedHashSet<>();
  private final Set<Integer> ordered = new LinkedHashSet<>();

  private StageOrder(List<Stage> stages) {
    this.stages = stages;
    for (int i = 0; i < stages.size(); i++) {
      numbers.put(stages.get(i).name(), i);
    }
  }

  /** Positions of the stages; none of them waits for itself. */
  public static List<Integer> of(JobSpec spec) {
    StageOrder order = new StageOrder(spec.stages());
    for (int i = 0; i < order.stages.size(); i++) {
      order.visit(i);
    }
    return List.copyOf(order.ordered);
  }

  private void visit(int stage) {
    if (!entered.add(stage)) {
      return;
    }
    for (After after : StageGraph.predecessors(stages.get(stage))) {
      Integer before = numbers.get(after.stage());
      if (before != null && !after.stage().isEmpty()) {
        visit(before);
      }
    }
    ordered.add(stage);
  }
}
