package dev.imker.agent.internal.neighbour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class WaylandDisplayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private static SocketChannel asked(FakeCompositor compositor) throws InterruptedException {
    return Objects.requireNonNull(compositor.asked.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
  }

  @Test
  void the_owner_is_away_when_all_seats_are_idle_and_back_with_the_first_input() throws Exception {
    Path socket = folder.resolve("wayland-0");
    try (FakeCompositor compositor =
            new FakeCompositor(socket, "wl_seat", "wl_output", "ext_idle_notifier_v1", "wl_seat");
        WaylandDisplay display = WaylandDisplay.open(socket);
        SocketChannel connection = asked(compositor)) {
      assertThat(display.idleMillis()).isZero();
      compositor.tell(connection, 0, true);
      compositor.tell(connection, 1, true);
      await().atMost(PATIENCE).until(() -> display.idleMillis() >= 1_000);
      compositor.tell(connection, 0, false);
      await().atMost(PATIENCE).until(() -> display.idleMillis() == 0);
      connection.shutdownOutput();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThatThrownBy(display::idleMillis).isInstanceOf(EOFException.class));
    }
  }

  @Test
  void a_compositor_that_does_not_tell_is_left_to_the_login_manager() throws Exception {
    Path socket = folder.resolve("wayland-0");
    try (FakeCompositor _ = new FakeCompositor(socket, "wl_seat", "wl_compositor")) {
      assertThatThrownBy(() -> WaylandDisplay.open(socket))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not report when");
    }
  }

  @Test
  void compositors_are_found_in_the_folders_of_users() throws Exception {
    Path user = Files.createDirectory(folder.resolve("1000"));
    Files.createFile(user.resolve("wayland-0.lock"));
    try (FakeCompositor compositor =
        new FakeCompositor(user.resolve("wayland-1"), "ext_idle_notifier_v1", "wl_seat")) {
      ScreenActivity screens = ScreenActivity.wayland(folder);
      screens.find();
      await().atMost(PATIENCE).until(screens::seesAny);
      compositor.tell(asked(compositor), 0, true);
      await().atMost(PATIENCE).until(() -> screens.idleMillis() >= 1_000);
    }
  }
}
