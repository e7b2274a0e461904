package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.backup.PoolBackup;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorOfPoolTest {
  @TempDir Path folder;

  @Test
  void restored_pool_says_so() {
    assertThat(RestoredPool.finding(folder)).isEmpty();
    try (SqliteStore store = SqliteStore.open(folder)) {
      assertThat(RestoredPool.finding(folder)).isEmpty();
      store.putSetting(PoolBackup.RESTORED, "2030-01-02 from the backup of 2030-01-01");
      assertThat(RestoredPool.finding(folder).orElseThrow().text())
          .contains("2030-01-02 from the backup of 2030-01-01");
    }
  }
}
