package dev.imker.agent.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

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
  private final SecretMask mask = new SecretMask(List.of(SECRET, "other-secret"));

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("out"), text);
  }

  @Test
  @Attack("print a secret across the borders of what is read at once")
  void a_large_file_is_covered_in_place() throws IOException {
    String text = ("x".repeat((1 << 20) - 3) + SECRET).repeat(3) + "other-secret\n";
    Path file = file(text);
    mask.cover(file);
    assertThat(Files.readString(file))
        .hasSize(text.length())
        .doesNotContain(SECRET, "other-secret")
        .endsWith("************\n");
  }

  @Trials(100)
  void what_is_followed_never_shows_a_secret_and_loses_nothing(Generator random)
      throws IOException {
    Path file = Files.write(folder.resolve("live"), new byte[0]);
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    LogTail tail =
        new LogTail(
            Lease.getDefaultInstance(),
            0,
            0,
            mask,
            chunk -> {
              shown.writeBytes(chunk.getData().toByteArray());
              return true;
            });
    StringBuilder written = new StringBuilder();
    for (int i = random.between(1, 30); i > 0; i--) {
      String piece =
          random.oneOf(List.of("hun", "ter2", "h", SECRET, "other-", "secret", "\n", "words "));
      written.append(piece);
      Files.writeString(file, piece, StandardOpenOption.APPEND);
      tail.send(file, folder.resolve("none"));
    }
    Files.writeString(file, "\n", StandardOpenOption.APPEND);
    tail.send(file, folder.resolve("none"));
    String expected =
        written
            .append("\n")
            .toString()
            .replace("other-secret", "*".repeat(12))
            .replace(SECRET, "*******");
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
  }
}
