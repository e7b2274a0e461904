package dev.imker.store;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteReadsTest extends ReadsContract {
  @TempDir Path folder;

  @Override
  PoolStore open() {
    return SqliteStore.open(folder);
  }
}
