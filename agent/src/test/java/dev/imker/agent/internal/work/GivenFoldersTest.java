package dev.imker.agent.internal.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.testbase.Attack;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Folders that an agent which is root lays inputs into and gives to users of tasks. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class GivenFoldersTest {
  private Path folder;
  private TaskUser users;
  private WorkArea area;

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(TaskUser.isRoot(), "the tests run as an ordinary user");
    folder = Files.createTempDirectory(Path.of("/tmp"), "imker-given");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    users =
        TaskUser.find(new Programs("/usr/bin:/bin")).orElseThrow().numbered(TaskUser.Traces.FILES);
    area = WorkArea.begin(folder.resolve("agent"), Laying.COPY, () -> Optional.of(users.another()));
  }

  @AfterEach
  void end() throws Exception {
    if (users != null) {
      users.close();
      WorkArea.deleteTree(folder);
    }
  }

  private static int owner(Path file) throws Exception {
    return (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private void lay(TaskFolder into, String path) throws Exception {
    BlobCache cache = new BlobCache(folder.resolve("cache"), 1 << 20);
    byte[] content = "content".getBytes(StandardCharsets.UTF_8);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    into.lay(
        new InputFile(path, new BlobId(hash), content.length, false, ""),
        cache,
        (_, _) -> new BlobSource.Content(new ByteArrayInputStream(content), 0));
  }

  @Test
  @Attack("change a task's folder while a root agent copies inputs into it")
  void a_folder_is_the_agents_own_until_all_is_laid() throws Exception {
    TaskFolder given = area.take();
    lay(given, "a/b/c");
    assertThat(owner(given.work())).isZero();
    assertThat(owner(given.work().resolve("a"))).isZero();
    given.handOver();
    int task = given.user().orElseThrow().id();
    for (String path : new String[] {"", "a", "a/b", "a/b/c"}) {
      assertThat(owner(given.work().resolve(path))).as(path).isEqualTo(task);
    }
    assertThat(owner(given.temporary())).isEqualTo(task);
  }

  @Test
  @Attack(
      "leave a link to / in an emptied folder, through which a root agent would write the next"
          + " inputs")
  void nobody_puts_anything_into_a_folder_that_serves_again() throws Exception {
    TaskFolder first = area.take();
    first.handOver();
    assertThat(link(first)).isZero();
    Files.delete(first.work().resolve("d"));
    area.giveBack(first);
    assertThat(link(first)).isNotZero();
    TaskFolder second = area.take();
    assertThat(second).isSameAs(first);
    assertThat(link(first)).isNotZero();
    lay(second, "d/x");
    assertThat(Files.isDirectory(second.work().resolve("d"), LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  /** A process of the task that goes on puts a link into its folder. */
  private static int link(TaskFolder into) throws Exception {
    String user = Integer.toString(into.user().orElseThrow().id());
    return new ProcessBuilder(
            "setpriv",
            "--reuid=" + user,
            "--regid=" + user,
            "--clear-groups",
            "ln",
            "-s",
            "/",
            into.work().resolve("d").toString())
        .start()
        .waitFor();
  }

  @Test
  void a_folder_that_serves_again_is_the_agents_own_again() throws Exception {
    TaskFolder first = area.take();
    first.handOver();
    area.giveBack(first);
    TaskFolder second = area.take();
    assertThat(second).isSameAs(first);
    assertThat(owner(second.work())).isZero();
    assertThat(owner(second.temporary())).isZero();
  }

  @Test
  @Attack("read what an earlier task of another user left in /tmp, with its user id")
  void nothing_is_left_to_the_next_task_with_the_same_number() throws Exception {
    TaskFolder first = area.take();
    first.handOver();
    TaskUser user = first.user().orElseThrow();
    Path left = Files.createTempDirectory(Path.of("/tmp"), "imker-left");
    Path secret = Files.writeString(left.resolve("secret"), "hunter2");
    Path others = Files.createTempFile(Path.of("/tmp"), "imker-others", "");
    user.give(secret);
    user.give(left);
    area.giveBack(first);
    assertThat(left).doesNotExist();
    assertThat(others).exists();
    Files.delete(others);
  }

  @Test
  void tasks_at_the_same_time_have_different_users() throws Exception {
    TaskFolder one = area.take();
    TaskFolder other = area.take();
    assertThat(one.user().orElseThrow().id()).isNotEqualTo(other.user().orElseThrow().id());
  }
}
