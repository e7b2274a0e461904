package dev.imker.agent.internal.neighbour;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.regex.Pattern;

/**
 * When something was last typed on a console or in a terminal window: the time of the last read of
 * its device, as {@code w} has it. The kernel writes that down once in eight seconds, so whoever
 * typed less than that ago may be typing still.
 */
record TerminalActivity(Path devices) implements OwnerActivity {
  private static final long GRAIN_MILLIS = 8_000;
  private static final Pattern CONSOLE = Pattern.compile("tty[1-9]\\d*");
  private static final Pattern WINDOW = Pattern.compile("\\d+");

  @Override
  public long idleMillis() {
    return idleMillis(System.currentTimeMillis());
  }

  long idleMillis(long nowMillis) {
    long last = Math.max(last(devices, CONSOLE), last(devices.resolve("pts"), WINDOW));
    return last == 0 ? Long.MAX_VALUE : Math.max(0, nowMillis - last - GRAIN_MILLIS);
  }

  private static long last(Path folder, Pattern name) {
    long last = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (name.matcher(entry.getFileName().toString()).matches()) {
          BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
          last = Math.max(last, attributes.lastAccessTime().toMillis());
        }
      }
    } catch (IOException e) {
      return last; // a terminal that was just closed
    }
    return last;
  }
}
