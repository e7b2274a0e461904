package dev.imker.store;

import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteProfilesTest extends ProfilesContract {
  @TempDir Path folder;

  @Override
  PoolStore open() {
    return SqliteStore.open(folder);
  }
}
