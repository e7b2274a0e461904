package dev.imker.testkit;

import dev.imker.client.Imker;
import org.junit.jupiter.api.AfterAll;

/** Planned jobs on threads of the program. */
class LocalPlannedTest extends PlannedContract {
  private static final Imker IMKER = Imker.local(4);

  @AfterAll
  static void stop() {
    IMKER.close();
  }

  @Override
  Imker imker() {
    return IMKER;
  }
}
