package dev.imker.agent.internal.work;

import dev.imker.agent.internal.platform.TaskUser;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The folders of all leases of one agent. Folders that a task left empty serve again: making and
 * removing folders and files costs more than running a short program, above all on an ext4 without
 * journal, which looks at every recently removed inode before it gives out a new one.
 */
public final class WorkArea {
  private static final FileAttribute<?>[] PRIVATE =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
          ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
          }
          : new FileAttribute<?>[0];

  private static final FileAttribute<?>[] PASSABLE =
      PRIVATE.length == 0
          ? PRIVATE
          : new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx--x--x"))
          };

  /** Whose the files of another task are, if not the agent's own. */
  public interface Users {
    Optional<TaskUser> another() throws IOException;
  }

  private static final int MAX_FREE = 256;
  private static final int PROBE_BYTES = 64 << 10;
  private static final long MIN_FREE_BYTES = 16 << 20;

  private final Path work;
  private final Path temporary;
  private final Path output;
  private final Path mounted;
  private final Laying laying;
  private final Users users;
  private final Queue<TaskFolder> free = new ConcurrentLinkedQueue<>();
  private final AtomicLong created = new AtomicLong();

  private WorkArea(Path folder, Laying laying, Users users) throws IOException {
    this.laying = laying;
    this.users = users;
    Path absolute = folder.toAbsolutePath();
    Files.createDirectories(absolute);
    // Where others may pass, tasks with users of their own have to as well.
    FileAttribute<?>[] mode = mayPass(absolute) ? PASSABLE : PRIVATE;
    this.work = Files.createDirectory(absolute.resolve("work"), mode);
    this.temporary = Files.createDirectory(absolute.resolve("tmp"), mode);
    this.output = Files.createDirectory(absolute.resolve("output"), PRIVATE);
    this.mounted = Files.createDirectory(absolute.resolve("mounted"), PRIVATE);
  }

  /**
   * Begins with nothing: what an earlier agent left in the folder is deleted.
   *
   * @param users whose the files of each task are, if not the agent's own
   */
  public static WorkArea begin(Path folder, Laying laying, Users users) throws IOException {
    for (String name : new String[] {"work", "tmp", "output", "mounted"}) {
      TaskFolder.deleteTree(folder.resolve(name));
    }
    return new WorkArea(folder, laying, users);
  }

  private static boolean mayPass(Path folder) throws IOException {
    return PASSABLE.length > 0
        && Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OTHERS_EXECUTE);
  }

  /** Whether a file of a work folder is one that patterns of results or checkpoints name. */
  public static boolean matches(List<String> patterns, String path) {
    return !patterns.isEmpty() && new ResultPatterns(patterns).match(Path.of(path), true);
  }

  /** Removes a folder with all that is in it, also what was made undeletable. */
  public static void deleteTree(Path folder) throws IOException {
    TaskFolder.deleteTree(folder);
  }

  /** A folder for one lease: empty, and nobody else's until it is given back. */
  public TaskFolder take() throws IOException {
    TaskFolder used = free.poll();
    return used == null ? create() : used;
  }

  /** What is wrong with the disk that the folders lie on; empty while it takes files. */
  public String fault() {
    Path probe = output.resolve("probe-" + created.incrementAndGet());
    try {
      try {
        Files.write(probe, new byte[PROBE_BYTES]);
      } finally {
        Files.deleteIfExists(probe);
      }
      long usable = Files.getFileStore(work).getUsableSpace();
      return usable >= MIN_FREE_BYTES ? "" : "only " + usable + " bytes are free";
    } catch (FileSystemException e) {
      return e.getReason() == null ? e.toString() : e.getReason();
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private TaskFolder create() throws IOException {
    long number = created.incrementAndGet();
    String name = Long.toString(number);
    return new TaskFolder(
        Files.createDirectory(work.resolve(name), PRIVATE),
        Files.createDirectory(temporary.resolve(name), PRIVATE),
        output.resolve(name + ".in"),
        output.resolve(name + ".out"),
        output.resolve(name + ".err"),
        mounted.resolve(name),
        laying,
        users.another());
  }

  /** Takes a folder back: for the next lease if it is as new, otherwise it is deleted. */
  public void giveBack(TaskFolder folder) throws IOException {
    folder.forgetStdin();
    boolean serves = folder.isAsNew() && free.size() < MAX_FREE && folder.reclaim();
    folder.user().ifPresent(TaskUser::endTask);
    if (serves) {
      free.add(folder);
    } else {
      folder.delete();
    }
  }
}
