package dev.imker.agent.internal.neighbour;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keyboards, mice and touch screens, where the agent may read them (as root, or in the group {@code
 * input}). What they send is thrown away unread; only when something comes counts.
 */
final class InputDevices implements OwnerActivity {
  private static final long NEVER = Long.MIN_VALUE;

  private volatile long lastNanos = NEVER;

  private InputDevices() {}

  static InputDevices watch(Path folder) {
    InputDevices devices = new InputDevices();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "event*")) {
      for (Path entry : entries) {
        if (Files.isReadable(entry)) {
          Thread.ofPlatform().daemon().name("imker-input").start(() -> devices.listen(entry));
        }
      }
    } catch (IOException e) {
      return devices; // no such devices here
    }
    return devices;
  }

  private void listen(Path device) {
    byte[] buffer = new byte[1024];
    try (InputStream in = Files.newInputStream(device)) {
      while (in.read(buffer) >= 0) {
        lastNanos = System.nanoTime();
      }
    } catch (IOException e) {
      return; // unplugged
    }
  }

  @Override
  public long idleMillis() {
    long last = lastNanos;
    return last == NEVER ? Long.MAX_VALUE : (System.nanoTime() - last) / 1_000_000;
  }
}
