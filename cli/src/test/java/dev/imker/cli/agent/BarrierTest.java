package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class BarrierTest {
  private static final String SOMEBODY = "nobody-of-that-name";

  @TempDir Path folder;
  private Path inner;
  private Path file;

  @BeforeEach
  void setUp() throws IOException {
    inner = Files.createDirectory(folder.resolve("inner"));
    file = Files.createFile(inner.resolve("file"));
    allow(folder, "rwxr-xr-x");
    allow(inner, "rwxr-xr-x");
    allow(file, "rw-r--r--");
  }

  private static void allow(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void what_everybody_may_read_is_open() {
    assertThat(Barrier.before(file, SOMEBODY)).isEmpty();
    assertThat(Barrier.before(file.resolveSibling("later"), SOMEBODY)).isEmpty();
  }

  @Test
  void a_closed_folder_keeps_all_but_its_owner_out() throws IOException {
    allow(inner, "rwx------");
    assertThat(Barrier.before(file, SOMEBODY)).contains(inner.toRealPath());
    assertThat(Barrier.before(file.resolveSibling("later"), SOMEBODY)).isPresent();
    assertThat(Barrier.before(file, Files.getOwner(folder).getName())).isEmpty();
  }

  @Test
  void a_file_must_be_readable() throws IOException {
    allow(file, "rw-------");
    assertThat(Barrier.before(file, SOMEBODY)).contains(file.toRealPath());
    assertThat(Barrier.before(file, "root")).isEmpty();
  }
}
