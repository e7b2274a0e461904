package dev.imker.server.internal.coord;

import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteCoordinationTest extends StoredCoordinationContract {
  @TempDir Path folder;

  @Override
  PoolStore open() {
    return SqliteStore.open(folder);
  }
}
