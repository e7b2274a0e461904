package dev.imker.agent.internal.work;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * Tells without looking into a folder that nothing was put in, taken out or opened to others since
 * the last look: each of these sets the time of its last change, which no program can set back. The
 * system's clock for this ticks coarsely, so a change that is as young as the look proves nothing.
 */
final class Untouched {
  private static final long CLOCK_TICK_MILLIS = 50;
  private static final String CHANGED = "unix:ctime";

  private final Path folder;
  private @Nullable FileTime seen;

  Untouched(Path folder) {
    this.folder = folder;
  }

  /** Takes the state of now as the one to compare with. */
  void look() {
    FileTime now = changed();
    boolean settled =
        now != null && System.currentTimeMillis() - now.toMillis() > CLOCK_TICK_MILLIS;
    seen = settled ? now : null;
  }

  boolean holds() {
    return seen != null && seen.equals(changed());
  }

  private @Nullable FileTime changed() {
    try {
      return (FileTime) Files.getAttribute(folder, CHANGED, NOFOLLOW_LINKS);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null; // gone, or a system without such times: whoever asks has to look
    }
  }
}
