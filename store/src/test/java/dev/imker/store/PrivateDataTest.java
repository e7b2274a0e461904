package dev.imker.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Nobody but its owner may look into a pool's database. */
@DisabledOnOs(OS.WINDOWS)
final class PrivateDataTest {
  @TempDir Path folder;

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void a_new_database_and_one_that_was_open_to_all_are_private() throws Exception {
    Path data = folder.resolve("a/b");
    SqliteStore.open(data).close();
    assertThat(permissions(data)).isEqualTo("rwx------");
    assertThat(permissions(data.resolve("imker.db"))).isEqualTo("rw-------");

    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(
        data.resolve("imker.db"), PosixFilePermissions.fromString("rw-r--r--"));
    SqliteStore.open(data).close();
    assertThat(permissions(data)).isEqualTo("rwx------");
    assertThat(permissions(data.resolve("imker.db"))).isEqualTo("rw-------");
  }
}
