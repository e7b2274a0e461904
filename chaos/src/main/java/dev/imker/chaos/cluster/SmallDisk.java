package dev.imker.chaos.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A folder that is a disk of its own where the system lets us make one, and can then be full. */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK_BYTES = 1 << 20;

  private final Path folder;
  private final boolean mounted;

  private SmallDisk(Path folder, boolean mounted) {
    this.folder = folder;
    this.mounted = mounted;
  }

  /**
   * @param real whether it is a file on the disk of this machine, so that writing waits for that
   */
  static SmallDisk make(Path folder, int megabytes, boolean real, List<String> notes) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String size = megabytes + "m";
    String wrong =
        real
            ? mountFile(folder, size)
            : Shell.tryRun(
                "mount", "-t", "tmpfs", "-o", "size=" + size, "imker-chaos", "" + folder);
    if (!wrong.isEmpty() && notes.stream().noneMatch(note -> note.startsWith("full disks"))) {
      notes.add("full disks, without a file system of their own (" + wrong + ")");
    }
    return new SmallDisk(folder, wrong.isEmpty());
  }

  private static String mountFile(Path folder, String size) {
    String file = folder + ".disk";
    String wrong = Shell.tryRun("mkfs.ext4", "-q", "-F", file, size);
    wrong = wrong.isEmpty() ? Shell.tryRun("mount", "-o", "loop", file, "" + folder) : wrong;
    Shell.tryRun("rmdir", folder + "/lost+found"); // a database wants to begin in an empty folder
    return wrong;
  }

  Path folder() {
    return folder;
  }

  boolean canBeFull() {
    return mounted;
  }

  /** Takes all space that is left. */
  public void fill() {
    if (!mounted) {
      return;
    }
    byte[] block = new byte[BLOCK_BYTES];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      fillTheRest();
    }
  }

  /** Byte by byte, until not one more fits. */
  private void fillTheRest() {
    byte[] page = new byte[4096];
    try (OutputStream out = Files.newOutputStream(folder.resolve("ballast.rest"))) {
      while (true) {
        out.write(page);
      }
    } catch (IOException e) {
      return; // full
    }
  }

  /** Gives the space back. */
  public void empty() {
    try {
      Files.deleteIfExists(ballast());
      Files.deleteIfExists(folder.resolve("ballast.rest"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  @Override
  public void close() {
    if (mounted) {
      Shell.tryRun("umount", "-l", folder.toString());
    }
  }
}
