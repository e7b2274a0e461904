package dev.imker.samples;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;

/** Two steps of a planned job; the second one waits in the middle until it may go on. */
public final class Crossing {
  /** Where its steps are written down, and the file that the second one waits for. */
  public record Route(String diary, String gate) {}

  public record Middle(int value) {}

  public record OtherSide(int value) {}

  private Crossing() {}

  @Action
  @Preconditions({Route.class})
  @Effects({Middle.class})
  public static final class Begin extends Task {
    @Override
    protected void task() {
      put(new Middle(20));
    }
  }

  @Action
  @Preconditions({Route.class, Middle.class})
  @Effects({OtherSide.class})
  public static final class End extends Task {
    @Override
    protected void task() throws Exception {
      Route route = get(Route.class);
      RemoteCalls.note("middle ", route.diary());
      RemoteCalls.awaitFile(route.gate());
      put(new OtherSide(2 * get(Middle.class).value() + 2));
    }
  }
}
