package dev.imker.core.strategy.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.PoolFixture;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.StrategyException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StrategiesTest {
  private final PoolFixture fixture = new PoolFixture(11);

  @Test
  void every_strategy_chooses_a_candidate_and_explains_it() {
    NodeProfile node = fixture.node(0.2, 20, 30);
    fixture.node(-0.9, 5, 5);
    fixture.project(10, 50);
    fixture.project(0, 5);
    fixture.project(200, 7);
    for (Strategies.Kind kind : Strategies.all()) {
      Strategy strategy = Strategies.parse(kind.name());
      strategy.attach(fixture.pool);
      Choice choice = fixture.choice(node);
      assertThat(strategy.choose(choice)).as(kind.name()).isBetween(Strategy.NONE, 2);
      assertThat(strategy.explain(choice)).as(kind.name()).startsWith(kind.name());
      strategy.detach(fixture.pool);
    }
  }

  @Test
  void names_are_those_that_parse_back_to_the_same() {
    for (String text : new String[] {"runtime:s=2", "runtime:s=dynamic", "uptime:s=0.5"}) {
      assertThat(Strategies.parse(text).name()).isEqualTo(text);
    }
  }

  @Test
  void unknown_name_suggests_the_nearest() {
    assertThatThrownBy(() -> Strategies.parse("balance"))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("did you mean 'balanced'?")
        .hasMessageContaining("honey-bee");
  }

  @Test
  void unknown_parameter_suggests_the_nearest_and_lists_all() {
    assertThatThrownBy(() -> Strategies.parse("combined:fairlevel=0.1"))
        .isInstanceOf(StrategyException.class)
        .hasMessageContaining("did you mean 'fairLevel'?")
        .hasMessageContaining("useUptimes=no");
  }

  @Test
  void wrong_value_tells_what_is_wanted() {
    assertThatThrownBy(() -> Strategies.parse("runtime:s=fast"))
        .hasMessage("strategy runtime: s=fast is not a number from 0 to 1000, or 'dynamic'");
    assertThatThrownBy(() -> Strategies.parse("combined:useUptimes=maybe"))
        .hasMessageContaining("no, yes or improved");
    assertThatThrownBy(() -> Strategies.parse("balanced:x=1"))
        .hasMessageContaining("It has no parameters");
    assertThatThrownBy(() -> Strategies.parse("runtime:2")).hasMessageContaining("key=value");
  }

  @Test
  void balanced_takes_the_project_with_fewest_working() {
    NodeProfile node = fixture.node(0, 1, 1);
    fixture.working(fixture.project(5, 10), 3);
    fixture.working(fixture.project(5, 10), 2);
    assertThat(new Balanced().choose(fixture.choice(node))).isEqualTo(1);
  }

  @Test
  void balanced_gives_users_equal_shares_while_nodes_are_fewer_than_projects() {
    NodeProfile node = fixture.node(0, 1, 1);
    for (int i = 0; i < 9; i++) {
      fixture.project("many", 5, 100);
    }
    ProjectProfile only = fixture.project("few", 5, 100);
    for (int i = 0; i < 40; i++) {
      fixture.working(fixture.projects.get(new Balanced().choose(fixture.choice(node))), 1);
    }
    assertThat(only.working()).isEqualTo(20);
    assertThat(fixture.projects.getFirst().working()).isBetween(2, 3);
  }

  @Test
  void balanced_gives_projects_equal_shares_while_there_are_nodes_enough() {
    NodeProfile node = fixture.node(0, 1, 1);
    for (int i = 0; i < 3; i++) {
      fixture.node(0, 1, 1);
      fixture.project("many", 5, 100);
    }
    ProjectProfile only = fixture.project("few", 5, 100);
    for (int i = 0; i < 40; i++) {
      fixture.working(fixture.projects.get(new Balanced().choose(fixture.choice(node))), 1);
    }
    assertThat(only.working()).isEqualTo(10);
  }

  @Test
  void balanced_breaks_ties_at_random() {
    NodeProfile node = fixture.node(0, 1, 1);
    fixture.project(5, 10);
    fixture.project(5, 10);
    fixture.project(5, 10);
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      chosen.add(new Balanced().choose(fixture.choice(node)));
    }
    assertThat(chosen).containsExactlyInAnyOrder(0, 1, 2);
  }

  @Test
  void newcomer_takes_the_project_least_done() {
    NodeProfile node = fixture.node(0, 1, 1);
    fixture.done(fixture.project(5, 100), 30);
    fixture.done(fixture.project(5, 10), 2);
    assertThat(new Newcomer().choose(fixture.choice(node))).isEqualTo(1);
  }

  @Test
  void round_robin_goes_through_all_projects() {
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile first = fixture.project(5, 10);
    fixture.project(5, 10);
    ProjectProfile third = fixture.project(5, 10);
    RoundRobin strategy = new RoundRobin();
    assertThat(strategy.choose(fixture.choice(node))).isEqualTo(0);
    assertThat(strategy.choose(fixture.choice(node, first, third))).isEqualTo(1);
    assertThat(strategy.choose(fixture.choice(node))).isEqualTo(0);
  }

  @Test
  void combined_serves_a_starved_project_first() {
    NodeProfile node = fixture.node(0.9, 100, 100);
    fixture.node(-0.9, 1, 1);
    fixture.working(fixture.project(5, 100), 1);
    fixture.working(fixture.project(400, 100), 20);
    Strategy combined = Strategies.parse("combined-runtime");
    assertThat(combined.choose(fixture.choice(node))).isEqualTo(0);
    assertThat(combined.explain(fixture.choice(node))).contains("balanced chooses ann/p1");
  }

  @Test
  void combined_gives_a_screen_saver_the_shortest_tasks() {
    NodeProfile node = fixture.node(0.9, 100, 100);
    fixture.pool.onNodeUp(0, node, 4000, true);
    fixture.project(400, 100);
    fixture.project(5, 100);
    assertThat(Strategies.parse("combined").choose(fixture.choice(node))).isEqualTo(1);
  }

  @Test
  void honey_bees_stay_where_it_paid_and_leave_where_it_did_not() {
    NodeProfile node = fixture.node(0, 1, 1);
    ProjectProfile poor = fixture.project(5, 100);
    ProjectProfile rich = fixture.project(5, 100);
    Strategy bees = Strategies.parse("honey-bee:explore=0");
    bees.attach(fixture.pool);
    for (int i = 0; i < 200; i++) {
      fixture.pool.onAssigned(0, node, poor, false);
      fixture.pool.onFailed(60_000, node, poor, 60_000);
    }
    fixture.pool.onAssigned(0, node, rich, false);
    fixture.pool.onSucceeded(60_000, node, rich, 60_000);
    assertThat(bees.choose(fixture.choice(node))).isEqualTo(1);
    assertThat(bees.explain(fixture.choice(node))).contains("stays");
  }

  @Test
  void local_queue_takes_over_surplus_when_its_own_share_is_done() {
    NodeProfile node = fixture.node(0, 1, 1);
    fixture.node(0, 1, 1);
    ProjectProfile small = fixture.project(5, 2);
    ProjectProfile large = fixture.project(5, 8);
    Strategy local = Strategies.parse("local-queue");
    local.attach(fixture.pool);
    assertThat(local.choose(fixture.choice(node))).isEqualTo(0);
    fixture.pool.onAssigned(0, node, small, false);
    assertThat(local.choose(fixture.choice(node))).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      fixture.pool.onAssigned(0, node, large, false);
    }
    assertThat(local.explain(fixture.choice(node))).contains("largest surplus");
  }
}
