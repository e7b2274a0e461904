package dev.imker.testkit;

import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.Task;

/** Values that do not fit into the description of a job. */
final class Large {
  record Comb(byte[] cells) {}

  record Copy(byte[] cells) {}

  record Size(int cells) {}

  @Action
  @Preconditions({Comb.class})
  @Effects({Copy.class})
  static final class CopyComb extends Task {
    @Override
    protected void task() {
      put(new Copy(get(Comb.class).cells().clone()));
    }
  }

  @Action
  @Preconditions({Comb.class, Copy.class})
  @Effects({Size.class})
  static final class Measure extends Task {
    @Override
    protected void task() {
      put(new Size(get(Comb.class).cells().length + get(Copy.class).cells().length));
    }
  }

  private Large() {}

  static int length(byte[] cells) {
    return cells.length;
  }

  static RemoteFunction<Integer, Integer> picking(byte[] cells) {
    return position -> (int) cells[position];
  }
}
