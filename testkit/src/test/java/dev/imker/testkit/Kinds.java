package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;

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

  @Action
  @Preconditions({Egg.class})
  @Effects({Never.class})
  static final class Forget extends Task {
    @Override
    protected void task() {}
  }
}
