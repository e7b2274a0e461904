package dev.imker.bench.peers.queue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What jobs do. */
final class Work {
  private static volatile CountDownLatch open = new CountDownLatch(0);

  private Work() {}

  static void expect(int count) {
    open = new CountDownLatch(count);
  }

  static void noop() {
    open.countDown();
  }

  /** All jobs have been called; the database may not know it yet. */
  static void awaitCalled() throws InterruptedException {
    if (!open.await(10, TimeUnit.MINUTES)) {
      throw new IllegalStateException(open.getCount() + " jobs were not called in 10 minutes");
    }
  }

  /** Leaves a line and never ends. */
  static void endless(String file) throws IOException, InterruptedException {
    Files.writeString(
        Path.of(file), "begun\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    new CountDownLatch(1).await();
  }
}
