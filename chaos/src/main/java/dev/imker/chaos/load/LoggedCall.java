package dev.imker.chaos.load;

import dev.imker.tasks.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;

/**
 * A call that writes its beginning and end into a log outside the pool; returns its word, which
 * names task and attempt and nothing that is chance.
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
    Thread.sleep(sleepMillis);
    append("e " + word);
    return word;
  }

  private void append(String line) throws IOException {
    Files.writeString(
        Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
