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
 * Input on the displays of this machine that let us in: those of the user whom the agent runs as.
 * Displays that come later are found, too, so that a service started before anybody has logged in
 * sees its owner. A display that hangs holds up only the thread that watches it.
 */
final class ScreenActivity implements OwnerActivity {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration SEARCH = Duration.ofSeconds(30);

  private final Path folder;
  private final Pattern socket;
  private final Opening opening;

  /** When there was input last, by displays that are watched. */
  private final Map<Path, Long> lastInputNanos = new ConcurrentHashMap<>();

  private final Map<Path, Thread> watching = new ConcurrentHashMap<>();

  /** How to connect to a display. */
  private interface Opening {
    Display open(Path socket) throws IOException;
  }

  private ScreenActivity(Path folder, String socket, Opening opening) {
    this.folder = folder;
    this.socket = Pattern.compile(socket);
    this.opening = opening;
  }

  /**
   * @param folder in which displays listen
   * @param authority see {@link XAuthority}
   */
  static ScreenActivity x11(Path folder, Path authority) {
    return new ScreenActivity(
        folder,
        "X\\d+",
        socket -> {
          String number = socket.getFileName().toString().substring(1);
          return X11Display.open(socket, XAuthority.cookie(authority, number));
        });
  }

  /**
   * @param folder that has a folder for each user, in which that user's compositors listen
   */
  static ScreenActivity wayland(Path folder) {
    return new ScreenActivity(folder, "\\d+/wayland-\\d+", WaylandDisplay::open);
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
    find(folder);
  }

  private void find(Path in) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(in)) {
      for (Path path : entries) {
        if (isDisplay(path)) {
          watching.computeIfAbsent(
              path,
              _ ->
                  Thread.ofPlatform()
                      .daemon()
                      .name("imker-screen-" + path.getFileName())
                      .start(() -> watch(path)));
        } else if (in.equals(folder) && Files.isDirectory(path)) {
          find(path);
        }
      }
    } catch (IOException e) {
      return; // no displays here, or somebody else's
    }
  }

  private boolean isDisplay(Path path) {
    return socket.matcher(folder.relativize(path).toString()).matches();
  }

  private void watch(Path path) {
    try (Display display = opening.open(path)) {
      while (true) {
        long idleMillis = display.idleMillis();
        lastInputNanos.put(path, System.nanoTime() - 1_000_000 * idleMillis);
        Thread.sleep(LOOK);
      }
    } catch (IOException e) {
      return; // somebody else's, or closed; the next search tries again
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lastInputNanos.remove(path);
      watching.remove(path);
    }
  }
}
