package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.Task;
import dev.imker.tasks.TaskContext;
import java.util.ArrayList;
import java.util.List;

/** Actions whose values are of types that extend others. */
final class Kinds {
  interface Insect {
    String name();
  }

  record Bee(String name) implements Insect {}

  record Egg(String name) {}

  record Seen(String name) {}

  record Never(String name) {}

  private Kinds() {}

  @Action
  @Preconditions({Egg.class})
  @Effects({Bee.class})
  static final class Hatch extends Task {
    @Override
    protected void task() {
      put(new Bee(get(Egg.class).name()));
    }
  }

  @Action
  @Preconditions({Insect.class})
  @Effects({Seen.class})
  static final class See extends Task {
    @Override
    protected void task() {
      put(new Seen(get(Insect.class).name()));
    }
  }

  record Swarm(int bees) {}

  /** Every second egg becomes a bee; each is looked at by a task of its own. */
  @Action
  @Preconditions({Egg.class})
  @Effects({Swarm.class})
  static final class Raise extends Task {
    @Override
    protected void task() throws Exception {
      TaskContext context = TaskContext.current();
      List<Spawned<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int egg = i;
        all.add(context.spawn(() -> egg % 2));
      }
      int bees = 0;
      for (Spawned<Integer> one : all) {
        bees += one.join();
      }
      put(new Swarm(bees));
    }
  }

  @Action
  @Preconditions({Egg.class})
  @Effects({Never.class})
  static final class Forget extends Task {
    @Override
    protected void task() {}
  }
}
