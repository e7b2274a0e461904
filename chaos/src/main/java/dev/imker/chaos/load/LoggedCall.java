package dev.imker.chaos.load;

import dev.imker.tasks.TaskContext;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.coordination.TaskLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A call that writes its beginning and end into a log outside the pool, and what it does together
 * with others; returns its word, which names task and attempt and nothing that is chance.
 *
 * @param children further calls that it spawns and waits for
 */
record LoggedCall(String log, long sleepMillis, int children) implements Callable<String> {
  @Override
  public String call() throws Exception {
    TaskContext context = TaskContext.current();
    String word = "java-" + context.taskId() + "-" + context.attempt();
    append("b " + word);
    for (int i = 0; i < children; i++) {
      LoggedCall child = new LoggedCall(log, sleepMillis, 0);
      context.spawn(child::call).join();
    }
    if (children == 0) {
      share(context.coordination(), word);
    }
    Thread.sleep(sleepMillis);
    append("e " + word);
    return word;
  }

  /** Each step is told before it is asked for, or after it was answered. */
  private void share(Coordination all, String word) throws Exception {
    append("c " + word);
    long sum = all.counter("sum").add(1);
    append("C " + word + " " + sum);
    String item = word + "/" + sum;
    append("p " + word + " " + item);
    all.queue("items").put(item);
    TaskLock lock = all.lock("one");
    long number = lock.acquire();
    append("l " + word + " " + number);
    Optional<String> taken = all.queue("items").poll(Duration.ZERO);
    if (taken.isPresent()) {
      append("t " + word + " " + taken.get());
    }
    append("m " + word + " " + number);
    lock.release();
  }

  private void append(String line) throws IOException {
    Files.writeString(
        Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
