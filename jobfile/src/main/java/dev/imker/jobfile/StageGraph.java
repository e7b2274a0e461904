package dev.imker.jobfile;

import dev.imker.model.After;
import dev.imker.model.DataInput;
import dev.imker.model.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which stage waits for which. */
public final class StageGraph {
  private final Map<String, Set<String>> before = new HashMap<>();
  private final List<String> order = new ArrayList<>();

  private StageGraph() {}

  public static StageGraph of(List<Stage> stages) {
    StageGraph graph = new StageGraph();
    for (Stage stage : stages) {
      Set<String> names = new LinkedHashSet<>();
      stage.after().stream().map(After::stage).forEach(names::add);
      stage.dataInputs().stream().map(DataInput::from).map(After::stage).forEach(names::add);
      names.remove("");
      graph.before.put(stage.name(), names);
      graph.order.add(stage.name());
    }
    return graph;
  }

  /** Stages that wait for each other, first and last the same; empty if there is no such circle. */
  public List<String> cycle() {
    Set<String> done = new HashSet<>();
    for (String start : order) {
      List<String> found = cycleFrom(start, done);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  /** Goes back from a stage, depth first, without recursion: graphs may be deep. */
  private List<String> cycleFrom(String start, Set<String> done) {
    if (!done.add(start)) {
      return List.of();
    }
    Deque<Iterator<String>> open = new ArrayDeque<>();
    LinkedHashSet<String> path = new LinkedHashSet<>(List.of(start));
    open.push(before.getOrDefault(start, Set.of()).iterator());
    while (!open.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        path.removeLast();
        continue;
      }
      String next = open.peek().next();
      if (path.contains(next)) {
        List<String> circle = new ArrayList<>(path);
        List<String> found = new ArrayList<>(circle.subList(circle.indexOf(next), circle.size()));
        found.add(next);
        return found;
      }
      if (done.add(next)) {
        path.add(next);
        open.push(before.getOrDefault(next, Set.of()).iterator());
      }
    }
    return List.of();
  }
}
