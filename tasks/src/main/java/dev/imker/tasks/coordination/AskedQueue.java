package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

record AskedQueue(AskedThing queue) implements TaskQueue {
  @Override
  public void put(String text) throws InterruptedException {
    queue.ask("put", Map.of("data", text));
  }

  @Override
  public String take() throws InterruptedException {
    return poll(AskedThing.FOREVER).orElseThrow();
  }

  @Override
  public Optional<String> poll(Duration patience) throws InterruptedException {
    return queue
        .await("take", Map.of(), patience, answer -> answer.get("data") != null)
        .map(answer -> String.valueOf(answer.get("data")));
  }
}
