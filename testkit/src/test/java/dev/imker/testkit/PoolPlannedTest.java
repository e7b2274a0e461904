package dev.imker.testkit;

import dev.imker.client.Imker;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Planned jobs in a pool. */
class PoolPlannedTest extends PlannedContract {
  @TempDir static Path folder;
  private static TestPool pool;
  private static Imker imker;

  @BeforeAll
  static void start() {
    pool = TestPool.start(folder);
    imker = pool.connect();
  }

  @AfterAll
  static void stop() {
    imker.close();
    pool.close();
  }

  @Override
  Imker imker() {
    return imker;
  }
}
