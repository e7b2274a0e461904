package dev.imker.testkit;

import dev.imker.client.Imker;
import org.junit.jupiter.api.AfterEach;

/** On threads of the program. */
class LocalCoordinationTest extends CoordinationContract {
  private final Imker imker = Imker.local(2);

  @AfterEach
  void close() {
    imker.close();
  }

  @Override
  Imker imker() {
    return imker;
  }
}
