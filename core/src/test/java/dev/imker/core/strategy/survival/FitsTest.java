package dev.imker.core.strategy.survival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.FixedChoice;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import java.util.List;
import org.junit.jupiter.api.Test;

class FitsTest {
  private final PoolProfile pool = new PoolProfile();
  private final NodeProfile node = pool.node(new NodeId("n"));
  private final ProjectProfile any = project("any");
  private final ProjectProfile picky = project("picky");
  private final Fits fits = new Fits();

  private ProjectProfile project(String name) {
    ProjectProfile project = pool.project(new ProjectId("ann", name));
    pool.onTasksAdded(project, TaskState.READY, 10);
    return project;
  }

  @Test
  void project_that_is_offered_to_every_fourth_node_fits_a_quarter() {
    fits.watch(new int[] {any.index(), picky.index()});
    for (int i = 0; i < 400; i++) {
      fits.see(choice(i % 4 == 0 ? List.of(any, picky) : List.of(any)));
    }
    assertThat(fits.share(any)).isEqualTo(1);
    assertThat(fits.share(picky)).isCloseTo(0.25, within(0.02));
  }

  @Test
  void project_without_ready_tasks_tells_nothing() {
    pool.onTasksMoved(picky, TaskState.READY, TaskState.RUNNING, 10);
    fits.watch(new int[] {picky.index()});
    for (int i = 0; i < 10; i++) {
      fits.see(choice(List.of(any)));
    }
    assertThat(fits.share(picky)).isEqualTo(1);
  }

  @Test
  void flow_values_scarce_fits_higher() {
    assertThat(valueOfSecond(0.1)).isGreaterThan(1.2 * valueOfSecond(1));
  }

  /** Value of the second of two like projects that fits only a part of the nodes. */
  private static double valueOfSecond(double share) {
    FluidRun fluid = new FluidRun(0.5);
    fluid.begin(1, 2);
    fluid.group(0, 40);
    Lengths lengths = new Lengths();
    for (int project = 0; project < 2; project++) {
      fluid.describe(0, project, new Belief(), 30, lengths);
      fluid.project(project, 1000, 1000, 40);
    }
    fluid.fit(1, share);
    double[] values = {1, 1};
    fluid.improve(values, 4);
    return values[1] / values[0];
  }

  private Choice choice(List<ProjectProfile> candidates) {
    return new FixedChoice(
        0,
        node,
        candidates,
        pool,
        () -> {
          throw new AssertionError("nothing is drawn");
        });
  }
}
