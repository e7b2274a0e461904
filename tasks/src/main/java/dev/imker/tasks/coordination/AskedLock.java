package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

record AskedLock(AskedThing lock) implements TaskLock {
  @Override
  public long acquire() throws InterruptedException {
    return tryAcquire(AskedThing.FOREVER).orElseThrow();
  }

  // Who does not get it gives its place in the queue back.
  @Override
  public OptionalLong tryAcquire(Duration patience) throws InterruptedException {
    boolean held = false;
    try {
      Optional<Map<String, Object>> answer =
          lock.await("acquire", Map.of(), patience, one -> AskedThing.flag(one, "held"));
      held = answer.isPresent();
      return answer.isPresent()
          ? OptionalLong.of(AskedThing.number(answer.get(), "fencing"))
          : OptionalLong.empty();
    } finally {
      if (!held) {
        lock.ask("release");
      }
    }
  }

  @Override
  public void release() throws InterruptedException {
    lock.ask("release");
  }
}
