package dev.imker.chaos.load;

import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.model.ImkerException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

/**
 * {@code JavaLoad LOG RETURNED STOP}: makes calls in the pool until the file STOP is there, and
 * writes the number of each and what it returned into the file RETURNED; beside them planned jobs
 * that fail. Ends with 0 if every call came back, and every job ended as it has to.
 */
public final class JavaLoad {
  private static final int CALLS_PER_ROUND = 6;
  private static final long CALL_MILLIS = 100;
  private static final long PAUSE_MILLIS = 500;

  private JavaLoad() {}

  /** A pool may be down for longer than a program that begins has patience. */
  private static Imker connect(Path stop) throws InterruptedException {
    while (true) {
      try {
        return Imker.connect();
      } catch (ImkerException e) {
        if (Files.exists(stop)) {
          System.exit(0);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Path returned = Path.of(args[1]);
    Path stop = Path.of(args[2]);
    // Each call a task, so that each has a result of its own in the database.
    ExecutorOptions options =
        ExecutorOptions.USUAL.withName("java").withProject("java").withChunk(1);
    try (Imker imker = connect(stop);
        ImkerExecutor pool = imker.executor(options)) {
      Thread plans =
          Thread.ofPlatform().name("plans").start(() -> failAsPlanned(imker, args[0], stop));
      int number = 0;
      while (!Files.exists(stop)) {
        List<Future<String>> calls = new ArrayList<>();
        for (int i = 0; i < CALLS_PER_ROUND; i++) {
          calls.add(pool.submit(new LoggedCall(args[0], CALL_MILLIS, i == 0 ? 1 : 0)));
        }
        for (Future<String> call : calls) {
          Files.writeString(
              returned,
              ++number + " " + call.get() + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
      plans.join();
    }
    System.exit(0);
  }

  /** Jobs of which a task fails; what they are told has to be what was to be done about it. */
  private static void failAsPlanned(Imker imker, String log, Path stop) {
    FailingJob[] kinds = FailingJob.values();
    try {
      for (int i = 1; !Files.exists(stop); i++) {
        FailingJob kind = kinds[i % kinds.length];
        String end = kind.run(imker, i, log);
        if (!kind.isRight(end)) {
          throw new IllegalStateException("job " + i + " (" + kind + ") ended with: " + end);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }
}
