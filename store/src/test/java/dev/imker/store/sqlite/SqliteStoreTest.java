package dev.imker.store.sqlite;

import dev.imker.store.PoolStore;
import dev.imker.store.PoolStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest extends PoolStoreContract {
  @TempDir Path folder;

  @Override
  public PoolStore open() {
    return SqliteStore.open(folder);
  }
}
