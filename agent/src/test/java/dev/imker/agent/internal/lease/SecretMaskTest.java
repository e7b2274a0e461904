package dev.imker.agent.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.host.Ended;
import dev.imker.testbase.Attack;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import dev.imker.wire.proto.Lease;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretMaskTest {
  private static final String SECRET = "hunter2";
  private static final List<String> PIECES =
      List.of("hun", "ter2", "h", SECRET, "other-", "secret", "\n", "words ");
  private final SecretMask mask = new SecretMask(List.of(SECRET, "other-secret"));

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("out"), text);
  }

  @Test
  @Attack("print a secret across buffer boundaries")
  void a_large_file_is_covered_in_place() throws IOException {
    String text = ("x".repeat((1 << 20) - 3) + SECRET).repeat(3) + "other-secret\n";
    Path file = file(text);
    mask.cover(file);
    assertThat(Files.readString(file))
        .hasSize(text.length())
        .doesNotContain(SECRET, "other-secret")
        .endsWith("************\n");
  }

  @Test
  @Attack("print a secret, or fail with it in the message, in a Java task")
  void the_log_and_the_error_of_a_java_task_are_covered() {
    byte[] value = SECRET.getBytes(StandardCharsets.UTF_8);
    byte[] log = ("a " + SECRET + " b").getBytes(StandardCharsets.UTF_8);
    Ended end = mask.cover(new Ended(false, value, log, "no " + SECRET + " ü", 1));
    assertThat(new String(end.log(), StandardCharsets.UTF_8)).isEqualTo("a ******* b");
    assertThat(end.error()).isEqualTo("no ******* ü");
    assertThat(end.value()).as("its user's own").isEqualTo(value);
  }

  @Trials(100)
  void the_log_of_a_java_task_that_is_followed_never_shows_a_secret(Generator random) {
    LiveLog log = new LiveLog();
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    LogTail tail = tail(shown);
    StringBuilder written = new StringBuilder();
    for (int i = random.between(1, 30); i > 0; i--) {
      String piece = random.oneOf(PIECES);
      log.append(written.length(), piece.getBytes(StandardCharsets.UTF_8));
      written.append(piece);
      if (random.between(0, 1) == 0) {
        tail.send(log);
      }
    }
    log.append(written.length(), new byte[] {'\n'});
    tail.send(log);
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo(covered(written.append("\n")));
  }

  private LogTail tail(ByteArrayOutputStream shown) {
    return new LogTail(
        Lease.getDefaultInstance(),
        0,
        0,
        mask,
        chunk -> {
          shown.writeBytes(chunk.getData().toByteArray());
          return true;
        });
  }

  private static String covered(StringBuilder written) {
    return written.toString().replace("other-secret", "*".repeat(12)).replace(SECRET, "*******");
  }

  @Trials(100)
  void what_is_followed_never_shows_a_secret_and_loses_nothing(Generator random)
      throws IOException {
    Path file = Files.write(folder.resolve("live"), new byte[0]);
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    LogTail tail = tail(shown);
    StringBuilder written = new StringBuilder();
    for (int i = random.between(1, 30); i > 0; i--) {
      String piece = random.oneOf(PIECES);
      written.append(piece);
      Files.writeString(file, piece, StandardOpenOption.APPEND);
      tail.send(file, folder.resolve("none"));
    }
    Files.writeString(file, "\n", StandardOpenOption.APPEND);
    tail.send(file, folder.resolve("none"));
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo(covered(written.append("\n")));
  }

  @Test
  @Attack("follow the output from a place within a secret")
  void whoever_begins_within_a_secret_sees_stars_too() throws IOException {
    Path file = file("x" + SECRET + " and other-secret");
    for (int offset = 0; offset <= Files.size(file); offset++) {
      ByteArrayOutputStream shown = new ByteArrayOutputStream();
      new LogTail(
              Lease.getDefaultInstance(),
              offset,
              0,
              mask,
              chunk -> {
                shown.writeBytes(chunk.getData().toByteArray());
                return true;
              })
          .send(file, folder.resolve("none"));
      assertThat(shown.toString(StandardCharsets.UTF_8))
          .isEqualTo("x******* and ************".substring(offset));
    }
  }
}
