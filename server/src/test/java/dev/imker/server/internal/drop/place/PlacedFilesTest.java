package dev.imker.server.internal.drop.place;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlacedFilesTest {
  @TempDir Path root;

  private PlacedFiles placed;
  private Path file;

  @BeforeEach
  void open() {
    placed = new PlacedFiles(root, root.resolve("records"));
    file = root.resolve("a.txt");
  }

  private void write(String text) throws IOException {
    placed.write(file, text.getBytes(UTF_8));
  }

  /** A kill between the note and the file, and before that, and after. */
  @Test
  void a_file_of_ours_stays_ours_wherever_writing_it_was_broken_off() throws Exception {
    write("one");
    byte[] former = Files.readAllBytes(file);
    write("two");
    Files.write(file, former); // noted, not written
    assertThat(placed.isFree(file)).isTrue();
    write("three");
    assertThat(file).hasContent("three");
    Files.writeString(file, "two");
    assertThat(placed.isFree(file)).as("which nobody put there").isFalse();
  }

  @Test
  void what_somebody_changed_or_made_stays() throws Exception {
    write("one");
    Files.writeString(file, "changed");
    write("two");
    placed.remove(file);
    assertThat(file).hasContent("changed");
    Path other = Files.writeString(root.resolve("other.txt"), "mine");
    assertThat(placed.write(other, "ours".getBytes(UTF_8))).isFalse();
    assertThat(other).hasContent("mine");
  }

  @Test
  void names_may_be_as_long_as_the_system_permits() throws Exception {
    file = root.resolve("x".repeat(255));
    write("one");
    placed.remove(file);
    assertThat(file).doesNotExist();
  }

  @Test
  void files_that_people_removed_are_forgotten() throws Exception {
    write("one");
    Files.delete(file);
    try (Stream<Path> records = Files.list(root.resolve("records"))) {
      FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
      Files.setLastModifiedTime(records.findFirst().orElseThrow(), old);
    }
    file = root.resolve("b.txt");
    write("two");
    placed.forgetGone();
    try (Stream<Path> records = Files.list(root.resolve("records"))) {
      assertThat(records).hasSize(1);
    }
    assertThat(placed.isFree(file)).isTrue();
  }
}
