package dev.imker.agent.internal.system;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A regular file below a folder, held so that its {@link #path} means this very file until it is
 * closed, whatever happens to the names in the folder. A task that runs can put a link in the place
 * of a folder between our look and our opening; so the kernel finds the file in one step, beneath
 * the folder, without following any link ({@code openat2}). What is found is not opened before it
 * is known to be a file: a pipe would block, a device could do anything.
 *
 * <p>Where the kernel cannot do that (before Linux 5.6, and on other systems) a file is checked
 * again after its path was resolved, which leaves a moment in which it can be swapped.
 */
public final class HeldFile implements AutoCloseable {
  private final Path path;
  private final int descriptor;

  private HeldFile(Path path, int descriptor) {
    this.path = path;
    this.descriptor = descriptor;
  }

  /**
   * @param folder by a path that no task can change
   * @param relative below it, without links
   * @throws IOException if there is no such regular file, or the way there leads over a link
   */
  public static HeldFile below(Path folder, Path relative) throws IOException {
    Libc libc = Libc.load().filter(Libc::canOpenBeneath).orElse(null);
    return libc == null ? checked(folder, relative) : held(libc, folder, relative);
  }

  private static HeldFile held(Libc libc, Path folder, Path relative) throws IOException {
    int base = libc.openFolder(folder.toString());
    if (base < 0) {
      throw new NoSuchFileException(folder.toString());
    }
    int found = libc.openBeneath(base, relative.toString());
    libc.close(base);
    if (found < 0) {
      throw new AccessDeniedException(
          relative.toString(), null, "gone, or not reached without following links");
    }
    HeldFile file = new HeldFile(Path.of("/proc/self/fd/" + found), found);
    try {
      if (file.attributes().isRegularFile()) {
        return file;
      }
    } catch (IOException e) {
      file.close();
      throw e;
    }
    file.close();
    throw new AccessDeniedException(relative.toString(), null, "not a regular file");
  }

  private static HeldFile checked(Path folder, Path relative) throws IOException {
    Path base = folder.toRealPath();
    Path file = base.resolve(relative);
    boolean plain = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    if (!plain || !file.toRealPath().startsWith(base)) {
      throw new AccessDeniedException(relative.toString(), null, "not a regular file in its place");
    }
    return new HeldFile(file, -1);
  }

  /** Means this file as long as it is held. */
  public Path path() {
    return path;
  }

  public BasicFileAttributes attributes() throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class);
  }

  @Override
  public void close() {
    if (descriptor >= 0) {
      Libc.load().orElseThrow().close(descriptor);
    }
  }
}
