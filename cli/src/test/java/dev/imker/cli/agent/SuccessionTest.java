package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Versions of an agent that follow each other, played by scripts. */
@EnabledOnOs(OS.LINUX)
final class SuccessionTest {
  private static final String ONE = "1".repeat(64);
  private static final String TWO = "2".repeat(64);

  @TempDir Path data;
  private final List<String> said = new ArrayList<>();

  @BeforeEach
  void setUp() throws IOException {
    Files.createDirectories(data.resolve("versions"));
  }

  /** A Java that does what the file in the place of the jar says. */
  private Succession succession() throws IOException {
    Path java = data.resolve("java");
    Files.writeString(
        java, "#!/bin/sh\nwhile [ \"$1\" != -cp ]; do shift; done\nexec /bin/sh \"$2\" \"$@\"\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    return new Succession(
        java, data, List.of("agent", "--slots", "2"), said::add, Duration.ofSeconds(60));
  }

  private void version(String build, String script) throws IOException {
    Files.writeString(data.resolve("versions").resolve(build + ".jar"), script);
  }

  @Test
  void a_version_that_comes_up_takes_over_with_the_same_arguments() throws Exception {
    version(ONE, "touch $IMKER_CAME_UP; echo \"$@\" > " + data + "/arguments; exit 4\n");
    assertThat(succession().run(ONE)).hasValue(4);
    assertThat(data.resolve("arguments")).content().contains("agent --slots 2");
    assertThat(said).containsExactly("updated to version 111111111111");
  }

  @Test
  void a_version_that_does_not_come_up_is_not_tried_again() throws Exception {
    version(ONE, "exit 1\n");
    assertThat(succession().run(ONE)).isEmpty();
    assertThat(data.resolve("versions").resolve(ONE + ".bad")).exists();
    assertThat(said).singleElement().asString().contains("did not start");
  }

  @Test
  void one_version_follows_another() throws Exception {
    version(ONE, "touch $IMKER_CAME_UP; echo " + TWO + " > " + data + "/versions/next; exit 86\n");
    version(TWO, "touch $IMKER_CAME_UP; exit 0\n");
    assertThat(succession().run(ONE)).hasValue(0);
    assertThat(said).hasSize(2);
  }
}
