package dev.imker.agent.internal.platform;

import dev.imker.agent.internal.system.PrivateFolder;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of users for tasks: no two tasks of a machine have the same one at a time, whichever
 * agents they belong to. Each agent has a block of its own, which it holds by a locked file until
 * its process ends.
 */
final class UserNumbers {
  /** Systems give these to nobody; but a container may lack them. */
  private static final Range LARGE = new Range(1_900_000_000, 1000, 64);

  /** Right behind the number of tasks in a sandbox; systems give 60000 to somebody else. */
  private static final Range SMALL = new Range(TaskUser.USUAL_ID + 1, 120, 5);

  /**
   * Where agents that run as root find each other; the first that only root can write to is taken.
   */
  private static final List<Path> FOLDERS =
      List.of(
          Path.of("/run/imker-task-users"),
          Path.of("/var/lib/imker-task-users"),
          Path.of(System.getProperty("java.io.tmpdir"), "imker-task-users"));

  private record Range(int first, int block, int blocks) {}

  private final List<Path> folders;
  private final Range range = hasNumbers(LARGE) ? LARGE : SMALL;
  private final BitSet used = new BitSet();
  private @Nullable FileLock lock;
  private int first;

  UserNumbers() {
    this(FOLDERS);
  }

  UserNumbers(List<Path> folders) {
    this.folders = folders;
  }

  /** Takes a block that no other agent of the machine has. */
  private void claim() {
    for (Path folder : folders) {
      for (int block = 0; PrivateFolder.make(folder) && block < range.blocks; block++) {
        lock = lock(folder.resolve(Integer.toString(block))).orElse(null);
        if (lock != null) {
          first = range.first + block * range.block;
          return;
        }
      }
    }
    throw new ImkerException(
        "No user ids are left for tasks: more than "
            + range.blocks
            + " agents on this machine run as root without a sandbox, or none of "
            + folders
            + " can be written to. Enable the sandbox, run the agent as an ordinary user,"
            + " or set 'user: same' in its policy.");
  }

  private static Optional<FileLock> lock(Path file) {
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        FileLock lock = channel.tryLock();
        if (lock != null) {
          return Optional.of(lock);
        }
      } catch (OverlappingFileLockException e) {
        // another agent of this process has it
      }
      channel.close();
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /** Whether the numbers of a range mean anything here: a container may have but a few. */
  private static boolean hasNumbers(Range range) {
    try {
      long last = (long) range.first + (long) range.block * range.blocks;
      return Files.readAllLines(Path.of("/proc/self/uid_map")).stream()
          .map(line -> line.strip().split(" +", -1))
          .anyMatch(
              fields ->
                  Long.parseLong(fields[0]) <= range.first
                      && Long.parseLong(fields[0]) + Long.parseLong(fields[2]) >= last);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Lets another agent have the block. */
  synchronized void close() throws IOException {
    if (lock != null) {
      lock.acquiredBy().close();
      lock = null;
    }
  }

  /**
   * A number that nobody has.
   *
   * @throws IOException if there are none left
   */
  synchronized int take() throws IOException {
    if (lock == null) {
      claim();
    }
    int next = used.nextClearBit(0);
    if (next >= range.block) {
      throw new IOException("All " + range.block + " user ids of this agent are in use by tasks.");
    }
    used.set(next);
    return first + next;
  }

  synchronized void giveBack(int number) {
    used.clear(number - first);
  }
}
