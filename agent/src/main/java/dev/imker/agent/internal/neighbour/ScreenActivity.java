package dev.imker.agent.internal.neighbour;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Input on the X11 displays of this machine that let us in: those of the user whom the agent runs
 * as. Displays that come later are found, too, so that a service started before anybody has logged
 * in sees its owner. A display that hangs holds up only the thread that watches it.
 */
final class ScreenActivity implements OwnerActivity {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration SEARCH = Duration.ofSeconds(30);
  private static final Pattern SOCKET = Pattern.compile("X\\d+");

  private final Path sockets;
  private final Path authority;

  /** When there was input last, by displays that are watched. */
  private final Map<Path, Long> lastInputNanos = new ConcurrentHashMap<>();

  private final Map<Path, Thread> watching = new ConcurrentHashMap<>();

  /**
   * @param sockets the folder in which displays listen
   * @param authority see {@link XAuthority}
   */
  ScreenActivity(Path sockets, Path authority) {
    this.sockets = sockets;
    this.authority = authority;
  }

  /** Watches for as long as the program runs. */
  ScreenActivity begin() {
    Thread.ofPlatform().daemon().name("imker-screens").start(this::search);
    return this;
  }

  /** Whether any display tells about its input. */
  boolean seesAny() {
    return !lastInputNanos.isEmpty();
  }

  @Override
  public long idleMillis() {
    long nowNanos = System.nanoTime();
    return lastInputNanos.values().stream()
        .mapToLong(nanos -> (nowNanos - nanos) / 1_000_000)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private void search() {
    try {
      while (true) {
        find();
        Thread.sleep(SEARCH);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Watches every display that is not watched already. */
  void find() {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(sockets)) {
      for (Path socket : entries) {
        if (SOCKET.matcher(socket.getFileName().toString()).matches()) {
          watching.computeIfAbsent(
              socket,
              _ ->
                  Thread.ofPlatform()
                      .daemon()
                      .name("imker-screen-" + socket.getFileName())
                      .start(() -> watch(socket)));
        }
      }
    } catch (IOException e) {
      return; // no displays here
    }
  }

  private void watch(Path socket) {
    String number = socket.getFileName().toString().substring(1);
    try (X11Display display = X11Display.open(socket, XAuthority.cookie(authority, number))) {
      while (true) {
        long idleMillis = display.idleMillis();
        lastInputNanos.put(socket, System.nanoTime() - 1_000_000 * idleMillis);
        Thread.sleep(LOOK);
      }
    } catch (IOException e) {
      return; // somebody else's, or closed; the next search tries again
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lastInputNanos.remove(socket);
      watching.remove(socket);
    }
  }
}
