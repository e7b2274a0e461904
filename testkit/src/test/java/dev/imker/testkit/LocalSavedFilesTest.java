package dev.imker.testkit;

import dev.imker.client.Imker;
import org.junit.jupiter.api.AfterEach;

class LocalSavedFilesTest extends SavedFilesContract {
  private final Imker local = Imker.local(2);

  @Override
  Imker imker() {
    return local;
  }

  @AfterEach
  void close() {
    local.close();
  }
}
