package dev.imker.planner.actions;

import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.Planner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans requests over a library and remembers plans by the shape of the request: two requests that
 * differ only in the names of their values have the same plan. May be used by many threads.
 */
public final class ActionPlanner {
  /** Values by type, and statements in which values are numbers. */
  private record Shape(List<String> types, List<List<Object>> known, List<List<Object>> wanted) {}

  private record Remembered(List<String> names, ActionPlan plan) {}

  private final ActionLibrary library;
  private final Map<Shape, Remembered> cache;

  /**
   * @param cacheSize how many plans are remembered; the least recently used are forgotten first
   */
  public ActionPlanner(ActionLibrary library, int cacheSize) {
    this.library = library;
    this.cache =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Shape, Remembered> eldest) {
            return size() > cacheSize;
          }
        };
  }

  /**
   * @throws IllegalArgumentException if the request contradicts itself or the library
   */
  public ActionPlan plan(PlanRequest request, PlanLimits limits) {
    Map<String, Integer> numbers = new HashMap<>();
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Value value : request.values()) {
      numbers.put(value.name(), names.size());
      names.add(value.name());
      types.add(value.type());
    }
    Shape shape =
        new Shape(types, shapes(request.known(), numbers), shapes(request.wanted(), numbers));
    Remembered remembered = recall(shape);
    if (remembered != null) {
      return withNames(remembered, names);
    }
    ActionPlan plan = search(request, limits);
    if (plan.result().status() != PlanStatus.TIMEOUT) {
      synchronized (cache) {
        cache.put(shape, new Remembered(names, plan));
      }
    }
    return plan;
  }

  private @Nullable Remembered recall(Shape shape) {
    synchronized (cache) {
      return cache.get(shape);
    }
  }

  private static List<List<Object>> shapes(List<Relation> relations, Map<String, Integer> numbers) {
    List<List<Object>> shapes = new ArrayList<>(relations.size());
    for (Relation relation : relations) {
      List<Object> shape = new ArrayList<>(relation.terms().size() + 2);
      shape.add(relation.name());
      shape.add(relation.positive());
      for (String term : relation.terms()) {
        Integer number = numbers.get(term);
        shape.add(number == null ? term : number);
      }
      shapes.add(shape);
    }
    return shapes;
  }

  private static ActionPlan withNames(Remembered remembered, List<String> names) {
    if (remembered.names.equals(names)) {
      return remembered.plan;
    }
    Map<String, String> renaming = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      renaming.put(remembered.names.get(i), names.get(i));
    }
    return remembered.plan.renamed(renaming);
  }

  private ActionPlan search(PlanRequest request, PlanLimits limits) {
    ActionLibrary.PlanningTask task = library.pose(request);
    PlanResult result = Planner.plan(task.domain(), task.problem(), limits);
    PlanDag dag =
        result.status() == PlanStatus.SOLVED
            ? PlanDag.of(task.domain(), task.problem(), result.steps())
            : new PlanDag(List.of(), List.of());
    return new ActionPlan(result, dag);
  }
}
