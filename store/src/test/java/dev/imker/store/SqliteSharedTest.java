package dev.imker.store;

import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSharedTest extends SharedContract {
  @TempDir Path folder;

  @Override
  PoolStore open() {
    return SqliteStore.open(folder);
  }
}
