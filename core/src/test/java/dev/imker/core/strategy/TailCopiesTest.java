package dev.imker.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TailCopiesTest {
  private static final long NOW = 100 * 60_000L;

  private final PoolFixture fixture = new PoolFixture(3);
  private final NodeProfile node = fixture.node(0, 1, 1);
  private final NodeProfile weak = fixture.node(0, 1, 1);
  private final NodeProfile strong = fixture.node(0, 1, 1);
  private final ProjectProfile project = fixture.project(50, 10);
  private final Map<NodeProfile, Double> chances = new HashMap<>();
  private final Map<NodeProfile, Double> minutes = new HashMap<>();
  private final TailCopies copies = new TailCopies(new Given());
  private final List<List<NodeProfile>> holders = new ArrayList<>();
  private final List<Long> startedMinute = new ArrayList<>();

  TailCopiesTest() {
    chances.put(node, 0.9);
    chances.put(weak, 0.1);
    chances.put(strong, 1.0);
  }

  @Test
  void copies_the_task_whose_holder_will_fail() {
    running(95, strong);
    running(95, weak);
    assertThat(copies.choose(choice())).isEqualTo(1);
  }

  @Test
  void copies_nothing_that_safe_holders_will_finish_as_soon() {
    running(95, strong);
    assertThat(copies.choose(choice())).isEqualTo(Strategy.NONE);
  }

  @Test
  void copies_what_it_can_finish_much_sooner() {
    minutes.put(strong, 500.0);
    running(95, strong);
    assertThat(copies.choose(choice())).isZero();
  }

  @Test
  void takes_a_lost_task_before_it_is_ready_again() {
    running(95, strong);
    running(95);
    assertThat(copies.choose(choice())).isEqualTo(1);
  }

  @Test
  void another_holder_makes_a_copy_less_needed() {
    running(95, weak, weak);
    running(95, weak);
    assertThat(copies.choose(choice())).isEqualTo(1);
  }

  @Test
  void hopeless_node_copies_nothing() {
    chances.put(node, 0.001);
    running(95, weak);
    assertThat(copies.choose(choice())).isEqualTo(Strategy.NONE);
  }

  private void running(long started, NodeProfile... by) {
    holders.add(List.of(by));
    startedMinute.add(started);
  }

  private CopyChoice choice() {
    return new CopyChoice() {
      @Override
      public long nowMillis() {
        return NOW;
      }

      @Override
      public NodeProfile node() {
        return node;
      }

      @Override
      public int candidates() {
        return holders.size();
      }

      @Override
      public ProjectProfile project(int position) {
        return project;
      }

      @Override
      public int holders(int position) {
        return holders.get(position).size();
      }

      @Override
      public NodeProfile holder(int position, int holder) {
        return holders.get(position).get(holder);
      }

      @Override
      public long startedMillis(int position, int holder) {
        return startedMinute.get(position) * 60_000;
      }

      @Override
      public TailCopies byReputation() {
        return TailCopies.byReputation();
      }

      @Override
      public PoolProfile pool() {
        return fixture.pool;
      }
    };
  }

  private final class Given implements Outlook {
    @Override
    public double minutes(NodeProfile of, ProjectProfile task) {
      return minutes.getOrDefault(of, 50.0);
    }

    @Override
    public double minutesLeft(NodeProfile of, ProjectProfile task, double atLeast, double done) {
      return Math.max(1, minutes(of, task) * (1 - done));
    }

    @Override
    public double chance(
        long nowMillis, NodeProfile of, ProjectProfile task, double atLeast, double done) {
      return chances.getOrDefault(of, 0.5);
    }
  }
}
