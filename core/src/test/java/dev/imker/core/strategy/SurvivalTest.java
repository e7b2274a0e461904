package dev.imker.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.survival.Survival;
import org.junit.jupiter.api.Test;

class SurvivalTest {
  private static final long MINUTE = 60_000;

  private final PoolFixture fixture = new PoolFixture(8);
  private final Survival survival = new Survival(0.4);

  @Test
  void node_that_dies_young_gets_short_work_and_a_steady_one_long_work() {
    survival.attach(fixture.pool);
    NodeProfile steady = fixture.node(0, 1, 1);
    NodeProfile fragile = fixture.node(0, 1, 1);
    ProjectProfile brief = fixture.project(0, 500);
    ProjectProfile lengthy = fixture.project(0, 100);
    learnRunTimes(steady, brief, lengthy);
    for (int i = 0; i < 12; i++) {
      fixture.pool.onNodeDown((20L * i + 20) * MINUTE, fragile);
      fixture.pool.onNodeUp((20L * i + 20) * MINUTE, fragile, 4000, false);
    }
    fixture.working(brief, 5);
    fixture.working(lengthy, 5);
    assertThat(survival.choose(fixture.choice(fragile))).isZero();
    assertThat(survival.choose(fixture.choice(steady))).isEqualTo(1);
  }

  @Test
  void node_that_would_finish_nothing_leaves_the_work_to_others_between_its_tries() {
    survival.attach(fixture.pool);
    NodeProfile steady = fixture.node(0, 1, 1);
    NodeProfile fragile = fixture.node(0, 1, 1);
    ProjectProfile lengthy = fixture.project(0, 100);
    learnRunTimes(steady, lengthy, lengthy, 300, 300);
    for (int i = 0; i < 30; i++) {
      fixture.pool.onNodeDown((10L * i + 10) * MINUTE, fragile);
      fixture.pool.onNodeUp((10L * i + 10) * MINUTE, fragile, 4000, false);
    }
    assertThat(survival.choose(fixture.choice(fragile))).as("its first try").isZero();
    fixture.pool.onAssigned(600_000, fragile, lengthy, false);
    assertThat(survival.choose(fixture.choice(fragile))).isEqualTo(Strategy.NONE);
    assertThat(survival.explain(fixture.choice(fragile))).contains("leaves this node idle");
    assertThat(survival.choose(fixture.choice(steady))).isZero();
  }

  @Test
  void work_that_nobody_takes_for_long_is_tried_also_by_a_node_that_rests() {
    survival.attach(fixture.pool);
    NodeProfile steady = fixture.node(0, 1, 1);
    NodeProfile fragile = fixture.node(0, 1, 1);
    ProjectProfile lengthy = fixture.project(0, 100);
    learnRunTimes(steady, lengthy, lengthy, 300, 300);
    for (int i = 0; i < 30; i++) {
      fixture.pool.onNodeDown((10L * i + 10) * MINUTE, fragile);
      fixture.pool.onNodeUp((10L * i + 10) * MINUTE, fragile, 4000, false);
    }
    survival.choose(fixture.choice(fragile));
    fixture.pool.onAssigned(600_000, fragile, lengthy, false);
    assertThat(survival.choose(at(20, fragile))).isEqualTo(Strategy.NONE);
    assertThat(survival.choose(at(41, fragile))).as("its owner uses the good one").isZero();
    fixture.working(lengthy, 2);
    assertThat(survival.choose(at(42, fragile))).as("and now no more").isEqualTo(Strategy.NONE);
  }

  private Choice at(long minutes, NodeProfile node) {
    return new FixedChoice(minutes * MINUTE, node, fixture.projects, fixture.pool, fixture.random);
  }

  @Test
  void projects_of_the_same_length_are_served_alike() {
    survival.attach(fixture.pool);
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile first = fixture.project(0, 100);
    ProjectProfile second = fixture.project(0, 100);
    learnRunTimes(node, first, second, 50, 50);
    fixture.working(first, 8);
    fixture.working(second, 3);
    assertThat(survival.choose(fixture.choice(node))).isEqualTo(1);
    fixture.working(second, 20);
    assertThat(survival.choose(fixture.choice(node))).isZero();
  }

  @Test
  void projects_of_the_same_length_are_served_alike_by_their_cores() {
    survival.attach(fixture.pool);
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile large = fixture.project(0, 100);
    ProjectProfile small = fixture.project(0, 100);
    learnRunTimes(node, large, small, 50, 50);
    fixture.working(large, 3);
    large.onWeighed(3 * 700);
    fixture.working(small, 20);
    assertThat(survival.choose(fixture.choice(node))).as("20 cores are fewer than 24").isEqualTo(1);
    fixture.working(small, 10);
    assertThat(survival.choose(fixture.choice(node))).isZero();
  }

  @Test
  void lost_work_counts_by_the_cores_it_took() {
    survival.attach(fixture.pool);
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile large = fixture.project(0, 100);
    ProjectProfile small = fixture.project(0, 100);
    for (int i = 0; i < 200; i++) {
      large.onBegun(800);
      small.onBegun(100);
    }
    survival.onFailed(MINUTE, node, small, 10);
    assertThat(survival.workedMinutes()).isEqualTo(10);
    survival.onFailed(MINUTE, node, large, 10);
    assertThat(survival.workedMinutes()).isCloseTo(90, within(1e-3));
  }

  @Test
  void unknown_project_is_probed_by_a_few_nodes() {
    survival.attach(fixture.pool);
    NodeProfile node = fixture.node(0, 1, 1);
    for (int i = 0; i < 30; i++) {
      fixture.node(0, 1, 1);
    }
    ProjectProfile known = fixture.project(0, 100);
    ProjectProfile unknown = fixture.project(0, 100);
    learnRunTimes(node, known, known, 20, 20);
    fixture.working(known, 20);
    assertThat(survival.choose(fixture.choice(node))).isEqualTo(unknown.index());
  }

  @Test
  void explanation_names_every_project_with_its_numbers() {
    survival.attach(fixture.pool);
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile brief = fixture.project(0, 100);
    ProjectProfile lengthy = fixture.project(0, 100);
    learnRunTimes(node, brief, lengthy);
    assertThat(survival.explain(fixture.choice(node)))
        .startsWith("survival chooses ann/p")
        .contains("ann/p1 takes about 10 min here, finishes with probability")
        .contains("ann/p2 takes about 300 min here");
  }

  @Test
  void history_is_recalled_when_it_takes_over() {
    NodeProfile fragile = fixture.node(0, 1, 1);
    NodeProfile steady = fixture.node(0, 1, 1);
    for (int i = 0; i < 10; i++) {
      fixture.pool.onNodeDown((10L * i + 10) * MINUTE, fragile);
      fixture.pool.onNodeUp((10L * i + 10) * MINUTE, fragile, 4000, false);
    }
    survival.attach(fixture.pool);
    assertThat(survival.survival(100 * MINUTE, fragile, 60))
        .isLessThan(survival.survival(100 * MINUTE, steady, 60) / 2);
  }

  private void learnRunTimes(NodeProfile node, ProjectProfile brief, ProjectProfile lengthy) {
    learnRunTimes(node, brief, lengthy, 10, 300);
  }

  private void learnRunTimes(
      NodeProfile node, ProjectProfile first, ProjectProfile second, long one, long other) {
    fixture.pool.onAssigned(0, node, first, false);
    fixture.pool.onSucceeded(one * MINUTE, node, first, one * MINUTE);
    fixture.pool.onAssigned(0, node, second, false);
    fixture.pool.onSucceeded(other * MINUTE, node, second, other * MINUTE);
  }
}
