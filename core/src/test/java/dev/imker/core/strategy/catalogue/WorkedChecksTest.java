package dev.imker.core.strategy.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.PoolFixture;
import dev.imker.core.strategy.RunLength;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The worked examples of the reference. */
class WorkedChecksTest {
  private final PoolFixture fixture = new PoolFixture(5);

  @Test
  void performance_levels_of_nodes() {
    double[] reputations = {-0.8, -0.4, 0, 0.6, 1};
    int[] levels = {0, 4, 9, 16, 20};
    fiveNodesThreeProjects();
    for (int i = 0; i < 5; i++) {
      assertThat(fixture.nodes.get(i).reputation()).isEqualTo(reputations[i]);
      assertThat(Performance.nodeLevel(fixture.choice(fixture.nodes.get(i)))).isEqualTo(levels[i]);
    }
  }

  @Test
  void performance_levels_of_projects() {
    fiveNodesThreeProjects();
    Performance performance = new Performance();
    Choice choice = fixture.choice(fixture.nodes.getFirst());
    performance.prepare(choice);
    int[] levels = {0, 7, 20};
    for (int k = 0; k < 3; k++) {
      assertThat(performance.projectLevel(choice, k)).isEqualTo(levels[k]);
    }
  }

  @Test
  void performance_serves_one_two_two_three_three() {
    fiveNodesThreeProjects();
    int[] chosen = {0, 1, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
      Choice choice = fixture.choice(fixture.nodes.get(i));
      assertThat(new Performance().choose(choice)).as("node %d", i + 1).isEqualTo(chosen[i]);
    }
  }

  @Test
  void runtime_wishes_180_and_takes_project_three_or_four() {
    for (double minutes : new double[] {20, 50, 150, 160}) {
      fixture.project(minutes, 10);
    }
    RuntimeFit runtime = new RuntimeFit(Scale.of(2));
    Choice choice = fixture.choice(fixture.node(0.5, 60, 90));
    assertThat(runtime.wishedMinutes(choice)).isEqualTo(180);
    assertThat(new RunLength().draw(fixture.pool, 180)).isEqualTo(155);
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      chosen.add(runtime.choose(choice));
    }
    assertThat(chosen).containsExactlyInAnyOrder(2, 3);
  }

  private void fiveNodesThreeProjects() {
    for (double reputation : new double[] {-0.8, -0.4, 0, 0.6, 1}) {
      fixture.node(reputation, 10, 10);
    }
    for (double minutes : new double[] {5, 40, 190}) {
      fixture.project(minutes, 10);
    }
  }
}
