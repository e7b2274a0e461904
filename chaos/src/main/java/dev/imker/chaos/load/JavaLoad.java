package dev.imker.chaos.load;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * {@code JavaLoad LOG RETURNED STOP}: makes calls in the pool until the file STOP is there, and
 * writes what they return into the file RETURNED. Ends with 0 if every call came back.
 */
public final class JavaLoad {
  private static final int CALLS_PER_ROUND = 6;
  private static final long CALL_MILLIS = 100;
  private static final long PAUSE_MILLIS = 500;

  private JavaLoad() {}

  public static void main(String[] args) throws Exception {
    Path returned = Path.of(args[1]);
    Path stop = Path.of(args[2]);
    // Each call a task, so that each has a result of its own in the database.
    ExecutorOptions options = ExecutorOptions.USUAL.withName("java").withChunk(1);
    try (Imker imker = Imker.connect();
        ImkerExecutor pool = imker.executor(options)) {
      while (!Files.exists(stop)) {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS_PER_ROUND; i++) {
          calls.add(pool.submit(new LoggedCall(args[0], CALL_MILLIS)));
        }
        for (Future<String> call : calls) {
          Files.writeString(
              returned, call.get() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    System.exit(0);
  }
}
