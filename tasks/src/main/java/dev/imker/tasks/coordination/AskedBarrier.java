package dev.imker.tasks.coordination;

import static dev.imker.tasks.coordination.AskedThing.flag;
import static dev.imker.tasks.coordination.AskedThing.number;

import java.util.Map;

final class AskedBarrier implements DoubleBarrier {
  private final AskedThing barrier;
  private final int size;
  private long round;

  AskedBarrier(AskedThing barrier, int size) {
    this.barrier = barrier;
    this.size = size;
  }

  @Override
  public void enter() throws InterruptedException {
    Map<String, Object> inside =
        barrier
            .await(
                "enter",
                Map.of("size", size),
                AskedThing.FOREVER,
                answer -> flag(answer, "entered"))
            .orElseThrow();
    round = number(inside, "round");
  }

  @Override
  public void leave() throws InterruptedException {
    if (round == 0) {
      throw new IllegalStateException("You can only leave a barrier that you have entered.");
    }
    var _ =
        barrier.await(
            "leave", Map.of("round", round), AskedThing.FOREVER, answer -> flag(answer, "done"));
    round = 0;
  }
}
