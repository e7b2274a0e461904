package dev.imker.agent.internal.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UntouchedTest {
  @TempDir Path folder;

  @BeforeEach
  void needs_times_of_change() {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("unix"));
  }

  private Untouched settled() {
    Untouched untouched = new Untouched(folder);
    Awaitility.await()
        .until(
            () -> {
              untouched.look();
              return untouched.holds();
            });
    return untouched;
  }

  @Test
  void nothing_is_known_of_a_folder_that_was_never_looked_at() {
    assertThat(new Untouched(folder).holds()).isFalse();
  }

  @Test
  void folder_that_is_left_alone_stays_untouched() {
    Untouched untouched = settled();
    assertThat(untouched.holds()).isTrue();
  }

  @Test
  void new_file_is_noticed_also_when_the_folder_pretends_to_be_old() throws IOException {
    Untouched untouched = settled();
    FileTime before = Files.getLastModifiedTime(folder);
    Files.createFile(folder.resolve("result"));
    Files.setLastModifiedTime(folder, before);
    assertThat(untouched.holds()).isFalse();
  }

  @Test
  void file_that_came_and_went_is_noticed() throws IOException {
    Untouched untouched = settled();
    Files.delete(Files.createFile(folder.resolve("passing")));
    assertThat(untouched.holds()).isFalse();
  }

  @Test
  void folder_that_was_opened_to_others_is_noticed() throws IOException {
    Untouched untouched = settled();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(untouched.holds()).isFalse();
  }

  @Test
  void folder_that_is_gone_is_not_untouched() throws IOException {
    Untouched untouched = settled();
    Files.delete(folder);
    assertThat(untouched.holds()).isFalse();
    Files.createDirectory(folder); // for the clean-up
    assertThat(untouched.holds()).isFalse();
  }
}
