package dev.imker.agent.internal.neighbour;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class ScreenActivityTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int HOUR_MILLIS = 3_600_000;
  private static final byte[] COOKIE = {1, 2, 3, 4, 5};

  @TempDir Path folder;

  private Path authority(String... displays) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (String display : displays) {
      out.writeShort(256);
      out.writeUTF("host");
      out.writeUTF(display);
      out.writeUTF(XAuthority.COOKIE);
      byte[] cookie = display.equals("5") ? COOKIE : display.getBytes(US_ASCII);
      out.writeShort(cookie.length);
      out.write(cookie);
    }
    return Files.write(folder.resolve("authority"), bytes.toByteArray());
  }

  @Test
  void a_display_tells_since_when_there_was_no_input() throws Exception {
    try (FakeDisplay display = new FakeDisplay(folder.resolve("X5"), COOKIE)) {
      display.idleMillis = HOUR_MILLIS;
      ScreenActivity screens = ScreenActivity.x11(folder, authority("4", "5"));
      assertThat(screens.idleMillis()).isEqualTo(Long.MAX_VALUE);
      screens.find();
      await().atMost(PATIENCE).until(screens::seesAny);
      assertThat(screens.idleMillis()).isBetween((long) HOUR_MILLIS, 2L * HOUR_MILLIS);
      display.idleMillis = 0;
      await().atMost(PATIENCE).until(() -> screens.idleMillis() < HOUR_MILLIS);
    }
  }

  @Test
  void a_display_that_is_gone_tells_nothing_and_a_new_one_is_found() throws Exception {
    Path socket = folder.resolve("X5");
    ScreenActivity screens = ScreenActivity.x11(folder, authority("5"));
    try (FakeDisplay _ = new FakeDisplay(socket, COOKIE)) {
      screens.find();
      await().atMost(PATIENCE).until(screens::seesAny);
    }
    await().atMost(PATIENCE).until(() -> screens.idleMillis() == Long.MAX_VALUE);
    Files.delete(socket);
    try (FakeDisplay _ = new FakeDisplay(socket, COOKIE)) {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                screens.find();
                return screens.seesAny();
              });
    }
  }

  @Test
  void the_display_of_somebody_else_lets_nobody_in() throws Exception {
    try (FakeDisplay _ = new FakeDisplay(folder.resolve("X5"), COOKIE)) {
      assertThatThrownBy(() -> X11Display.open(folder.resolve("X5"), new byte[0]).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("refused the connection");
    }
  }

  @Test
  void what_only_looks_like_a_display_is_none() throws Exception {
    Path socket = folder.resolve("X6");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      Thread peer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (SocketChannel connection = server.accept()) {
                      ByteBuffer hello = ByteBuffer.allocate(12);
                      while (hello.hasRemaining() && connection.read(hello) >= 0) {}
                      // "Come in", and then no description of itself.
                      connection.write(ByteBuffer.wrap(new byte[] {1, 0, 0, 0, 0, 0, 0, 0}));
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  });
      assertThatThrownBy(() -> X11Display.open(socket, new byte[0]).close())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("not an X11 display");
      peer.join();
    }
  }

  @Test
  void cookies_are_those_of_the_display() throws Exception {
    Path file = authority("4", "5", "6");
    assertThat(XAuthority.cookie(file, "5")).isEqualTo(COOKIE);
    assertThat(XAuthority.cookie(file, "7")).isEmpty();
    assertThat(XAuthority.cookie(folder.resolve("none"), "5")).isEmpty();
    assertThat(XAuthority.cookie(Files.write(file, new byte[] {1, 0, 0, 9, 1}), "5")).isEmpty();
  }
}
