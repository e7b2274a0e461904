package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.job.After;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Random graphs: every one is either taken and can be worked off, or refused with a real cycle. */
class StageGraphProperties {
  private static final Pattern CYCLE = Pattern.compile("s\\d+(?: → s\\d+)+");

  @Trials(500)
  void a_graph_is_worked_off_or_shows_a_cycle(Generator random) {
    int stages = random.between(1, 9);
    List<Integer> edges = random.listOf(0, 20, g -> g.between(0, 80));
    Set<String> lines = new HashSet<>();
    List<List<Integer>> before = new ArrayList<>();
    for (int i = 0; i < stages; i++) {
      before.add(new ArrayList<>());
    }
    for (int edge : edges) {
      int from = edge / 9 % stages;
      int to = edge % 9 % stages;
      if (lines.add("s" + from + " → s" + to)) {
        before.get(to).add(from);
      }
    }
    String trouble = trouble(graph(before));
    assertThat(trouble.isEmpty()).isEqualTo(canBeWorkedOff(before));
    if (!trouble.isEmpty()) {
      assertIsCycle(trouble, lines);
    }
  }

  private static List<Stage> graph(List<List<Integer>> before) {
    List<Stage> graph = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      List<After> after =
          before.get(i).stream().map(b -> After.stage("s" + b, After.Matching.ALL)).toList();
      graph.add(Stage.of(List.of("x"), List.of()).withName("s" + i).withAfter(after));
    }
    return graph;
  }

  private static String trouble(List<Stage> graph) {
    return String.join(" → ", StageGraph.of(graph).circle());
  }

  /** Takes stages away that wait for nothing, as long as there are any. */
  private static boolean canBeWorkedOff(List<List<Integer>> before) {
    Set<Integer> done = new HashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (int i = 0; i < before.size(); i++) {
        more |= done.containsAll(before.get(i)) && done.add(i);
      }
    }
    return done.size() == before.size();
  }

  /**
   * The cycle is told in the order of the work: each before the next, the first again at the end.
   */
  private static void assertIsCycle(String trouble, Set<String> lines) {
    Matcher matcher = CYCLE.matcher(trouble);
    assertThat(matcher.find()).as(trouble).isTrue();
    String[] names = matcher.group().split(" → ", -1);
    assertThat(names[names.length - 1]).isEqualTo(names[0]);
    for (int i = 0; i + 1 < names.length; i++) {
      assertThat(lines).contains(names[i] + " → " + names[i + 1]);
    }
  }
}
