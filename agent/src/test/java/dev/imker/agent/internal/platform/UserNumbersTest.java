package dev.imker.agent.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class UserNumbersTest {
  @TempDir Path folder;

  @BeforeEach
  void only_root_has_users_for_tasks() {
    assumeTrue(TaskUser.isRoot(), "the tests run as an ordinary user");
  }

  private List<Path> folders() {
    return List.of(folder.resolve("users"));
  }

  @Test
  void agents_of_one_machine_never_have_the_same_number() throws Exception {
    UserNumbers one = new UserNumbers(folders());
    UserNumbers other = new UserNumbers(folders());
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertThat(seen.add(one.take())).isTrue();
      assertThat(seen.add(other.take())).isTrue();
    }
    int given = seen.iterator().next();
    one.close();
    UserNumbers next = new UserNumbers(folders());
    assertThat(next.take()).isNotIn(List.of(given - 1)).isIn(seen);
    other.close();
    next.close();
  }

  @Test
  void a_number_serves_again_only_when_it_was_given_back() throws Exception {
    UserNumbers numbers = new UserNumbers(folders());
    int first = numbers.take();
    assertThat(numbers.take()).isNotEqualTo(first);
    numbers.giveBack(first);
    assertThat(numbers.take()).isEqualTo(first);
    numbers.close();
  }

  @Test
  void there_is_an_end_to_the_numbers() {
    UserNumbers numbers = new UserNumbers(folders());
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                numbers.take();
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("user ids of this agent are in use");
  }

  @Test
  void a_folder_that_others_may_write_to_is_not_trusted() throws Exception {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), open);
    assertThatThrownBy(() -> new UserNumbers(List.of(open, link)).take())
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("user: same");
  }
}
