package dev.imker.core.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.survival.Survival;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A restart in the middle of a life changes nothing that survival decides. */
class SurvivalMemoryTest {
  private static final long MINUTE = 60_000;
  private static final int NODES = 12;
  private static final int PROJECTS = 3;
  private static final int[] LENGTHS = {8, 60, 200};

  /** A pool, its strategy, and what its nodes do. */
  private static final class Pool {
    final PoolProfile profiles = new PoolProfile();
    final Survival survival = new Survival(0.5);
    SplittableRandom random;
    final int[] project = new int[NODES];
    final int[] left = new int[NODES];
    final int[] worked = new int[NODES];

    Pool(SplittableRandom random) {
      this.random = random;
      survival.attach(profiles);
    }

    NodeProfile node(int i) {
      return profiles.node(new NodeId("n" + i));
    }

    ProjectProfile project(int k) {
      return profiles.project(new ProjectId("ann", "p" + k));
    }

    void start() {
      for (int k = 0; k < PROJECTS; k++) {
        profiles.onTasksAdded(project(k), TaskState.READY, 4000);
      }
      for (int i = 0; i < NODES; i++) {
        profiles.onNodeUp(0, node(i), 4000, false, 100 + i);
        project[i] = -1;
      }
    }

    /** Lives some minutes and tells all decisions. */
    List<Integer> live(int fromMinute, int toMinute) {
      List<Integer> decisions = new ArrayList<>();
      for (int minute = fromMinute; minute < toMinute; minute++) {
        for (int i = 0; i < NODES; i++) {
          step(i, minute * MINUTE, decisions);
        }
      }
      return decisions;
    }

    private void step(int i, long now, List<Integer> decisions) {
      if (project[i] < 0) {
        int chosen = survival.choose(choice(i, now));
        decisions.add(chosen);
        if (chosen >= 0) {
          project[i] = chosen;
          worked[i] = 0;
          left[i] = (int) (LENGTHS[chosen] * (0.5 + random.nextDouble()));
          profiles.onTasksMoved(project(chosen), TaskState.READY, TaskState.RUNNING, 1);
          profiles.onAssigned(now, node(i), project(chosen), false);
        }
        return;
      }
      worked[i]++;
      if (worked[i] >= left[i]) {
        profiles.onTasksMoved(project(project[i]), TaskState.RUNNING, TaskState.DONE, 1);
        profiles.onSucceeded(now, node(i), project(project[i]), worked[i] * MINUTE);
        project[i] = -1;
      } else if (random.nextDouble() < 0.001 * (1 + i)) {
        profiles.onTasksMoved(project(project[i]), TaskState.RUNNING, TaskState.READY, 1);
        profiles.onFailed(now, node(i), project(project[i]), worked[i] * MINUTE);
        profiles.onNodeDown(now, node(i));
        profiles.onNodeUp(now, node(i), 4000, false, now);
        project[i] = -1;
      }
    }

    private Choice choice(int i, long now) {
      return new Choice() {
        @Override
        public long nowMillis() {
          return now;
        }

        @Override
        public NodeProfile node() {
          return Pool.this.node(i);
        }

        @Override
        public int candidates() {
          return PROJECTS;
        }

        @Override
        public ProjectProfile candidate(int position) {
          return project(position);
        }

        @Override
        public PoolProfile pool() {
          return profiles;
        }

        @Override
        public RandomGenerator random() {
          throw new AssertionError("survival draws no lots");
        }
      };
    }

    /** Another server takes over at that time; the agents go on working meanwhile. */
    Pool restarted(long now) {
      Pool next = new Pool(random);
      next.profiles.restore(profiles.snapshot());
      assertThat(survival.remember(Integer.MAX_VALUE, m -> next.survival.recall(next.profiles, m)))
          .isFalse();
      for (int k = 0; k < PROJECTS; k++) {
        for (TaskState state : TaskState.values()) {
          if (project(k).count(state) > 0) {
            next.profiles.onTasksAdded(next.project(k), state, project(k).count(state));
          }
        }
      }
      for (int i = 0; i < NODES; i++) {
        next.project[i] = project[i];
        next.left[i] = left[i];
        next.worked[i] = worked[i];
        if (project[i] >= 0) {
          next.profiles.onAssigned(
              now - worked[i] * MINUTE, next.node(i), next.project(project[i]), false);
        }
        next.profiles.onNodeUp(
            now, next.node(i), 4000, false, profiles.snapshot().nodes().get(i).incarnation());
      }
      return next;
    }
  }

  @Test
  void restart_changes_no_decision() {
    Pool pool = new Pool(new SplittableRandom(11));
    pool.start();
    pool.live(0, 4000);
    Pool next = pool.restarted(4000 * MINUTE);
    for (int i = 0; i < NODES; i++) {
      assertThat(next.node(i).currentUptimeMinutes(4000 * MINUTE))
          .isEqualTo(pool.node(i).currentUptimeMinutes(4000 * MINUTE));
      assertThat(next.survival.survival(4000 * MINUTE, next.node(i), 90))
          .isEqualTo(pool.survival.survival(4000 * MINUTE, pool.node(i), 90));
    }
    pool.random = new SplittableRandom(12);
    next.random = new SplittableRandom(12);
    assertThat(next.live(4000, 5500)).isEqualTo(pool.live(4000, 5500));
  }

  @Test
  void without_what_was_remembered_decisions_would_differ() {
    Pool pool = new Pool(new SplittableRandom(11));
    pool.start();
    pool.live(0, 4000);
    Pool next = pool.restarted(4000 * MINUTE);
    Survival forgetful = new Survival(0.5);
    forgetful.attach(next.profiles);
    double known = 0;
    double guessed = 0;
    for (int i = 0; i < NODES; i++) {
      known += next.survival.survival(4000 * MINUTE, next.node(i), 90);
      guessed += forgetful.survival(4000 * MINUTE, next.node(i), 90);
    }
    assertThat(guessed).isNotEqualTo(known);
  }
}
