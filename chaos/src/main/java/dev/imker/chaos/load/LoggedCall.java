package dev.imker.chaos.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.Callable;

/** A call that writes its beginning and end into a log outside the pool; returns its word. */
record LoggedCall(String log, long sleepMillis) implements Callable<String> {
  @Override
  public String call() throws IOException, InterruptedException {
    String word = "java-" + UUID.randomUUID();
    append("b " + word);
    Thread.sleep(sleepMillis);
    append("e " + word);
    return word;
  }

  private void append(String line) throws IOException {
    Files.writeString(
        Path.of(log), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
