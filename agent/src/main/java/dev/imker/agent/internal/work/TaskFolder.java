package dev.imker.agent.internal.work;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where one lease is worked on: a folder to work in, one for temporary files, and next to them the
 * files that its output goes to. Private to the user; nothing in it outlives the lease.
 */
public final class TaskFolder {
  private static final Set<PosixFilePermission> PLAIN =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> EXECUTABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private static final Set<PosixFilePermission> PRIVATE =
      PosixFilePermissions.fromString("rwx------");

  /** Below this a copy costs no more than anything else. */
  static final long SHARED_BYTES = 64 << 10;

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private static final FileAttribute<?> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Optional<TaskUser> user;
  private final Path root;
  private final Path temporary;
  private final Path stdout;
  private final Path stderr;
  private final Path mounted;
  private final Laying laying;
  private final Untouched untouchedWork;
  private final Untouched untouchedTemporary;
  private final Map<String, FileVersion> inputs = new HashMap<>();
  private final Map<String, Path> mounts = new LinkedHashMap<>();
  private final List<Path> laid = new ArrayList<>();
  private final Path stdin;
  private Path work;
  private String name = "";
  private boolean reads;

  /**
   * @param stdin where what the task reads is laid, if it reads anything
   * @param mounted where inputs wait that a sandbox is to mount; made when needed
   */
  TaskFolder(
      Path work,
      Path temporary,
      Path stdin,
      Path stdout,
      Path stderr,
      Path mounted,
      Laying laying,
      Optional<TaskUser> user)
      throws IOException {
    this.user = user;
    this.mounted = mounted;
    this.laying = laying;
    this.root = work;
    this.work = work;
    this.stdin = stdin;
    this.temporary = temporary;
    this.untouchedWork = new Untouched(work);
    this.untouchedTemporary = new Untouched(temporary);
    this.stdout = stdout;
    this.stderr = stderr;
    if (user.isPresent()) {
      // Made by the agent, so that a task can open its own output by the name /dev/stderr.
      user.get().give(Files.createFile(stdout, PRIVATE_FILE));
      user.get().give(Files.createFile(stderr, PRIVATE_FILE));
    }
  }

  /**
   * Gives what lies in the folder to its task, if that has a user of its own; to be called when all
   * is laid, right before the task starts. Until then nobody but the agent can change anything
   * here, so that it never follows a link that somebody else has put in its way.
   */
  public void handOver() throws IOException {
    if (user.isEmpty()) {
      return;
    }
    for (Path file : laid) {
      for (Path one = file; one != null && !one.equals(root); one = one.getParent()) {
        user.get().give(one);
      }
    }
    user.get().give(temporary);
    user.get().give(root);
    if (reads) {
      user.get().give(stdin);
    }
  }

  /**
   * Makes the folder the agent's own again, for the next lease.
   *
   * @return whether nothing is in it, also now that nobody else can put anything there
   */
  boolean reclaim() throws IOException {
    if (user.isEmpty()) {
      return true;
    }
    for (Path folder : List.of(root, temporary)) {
      Files.setAttribute(folder, "unix:uid", 0, NOFOLLOW_LINKS);
      Files.setAttribute(folder, "unix:gid", 0, NOFOLLOW_LINKS);
    }
    laid.clear();
    return isEmptyAndPrivate(root) && isEmptyAndPrivate(temporary);
  }

  /** Whose it is, if not the agent's own. */
  public Optional<TaskUser> user() {
    return user;
  }

  public Path work() {
    return work;
  }

  /** The name that the job wants its work folder to have; empty if it has none. */
  public String name() {
    return name;
  }

  /**
   * Gives the work folder a name; to be called before anything is laid into it.
   *
   * @throws ImkerException if it leads elsewhere
   */
  public void enter(String wanted) throws IOException {
    work = Files.createDirectories(root.resolve(RelativePath.check("folder", wanted)));
    laid.add(work);
    name = wanted;
  }

  /** Lays down what the task reads from its standard input. */
  public Path layStdin(String text) throws IOException {
    reads = true;
    Files.writeString(stdin, text);
    return stdin;
  }

  public Path temporary() {
    return temporary;
  }

  public Path stdout() {
    return stdout;
  }

  public Path stderr() {
    return stderr;
  }

  /**
   * Lays an input into the work folder. Small ones and programs are copies, with which the task may
   * do what it likes; the others are read-only, and nothing is copied.
   */
  public void lay(InputFile input, BlobCache cache, BlobSource source)
      throws IOException, InterruptedException {
    boolean copied = laying == Laying.COPY || input.executable() || input.size() < SHARED_BYTES;
    if (copied) {
      layWritable(input, cache, source);
    } else {
      layShared(input, cache, source);
    }
  }

  /** Lays an input of any size as a copy. */
  public void layWritable(InputFile input, BlobCache cache, BlobSource source)
      throws IOException, InterruptedException {
    Path target = target(input);
    cache.copyTo(input.blob(), target, source);
    if (POSIX) {
      Files.setPosixFilePermissions(target, input.executable() ? EXECUTABLE : PLAIN);
    }
    laid.add(target);
    inputs.put(input.path(), FileVersion.of(target));
  }

  private Path target(InputFile input) throws IOException {
    Path target = work.resolve(RelativePath.check("input", input.path()));
    Files.createDirectories(target.getParent());
    return target;
  }

  private void layShared(InputFile input, BlobCache cache, BlobSource source)
      throws IOException, InterruptedException {
    Path target = target(input);
    if (laying == Laying.LINK) {
      cache.linkTo(input.blob(), target, source);
    } else {
      Path waiting = Files.createDirectories(mounted).resolve(Integer.toString(mounts.size()));
      cache.linkTo(input.blob(), waiting, source);
      Files.createFile(target); // what it is mounted upon
      mounts.put(input.path(), waiting);
    }
    if (laying == Laying.MOUNT) {
      laid.add(target);
    }
    inputs.put(input.path(), FileVersion.of(target));
  }

  /** Files that a sandbox has to mount: their paths in the work folder, and where they lie. */
  public Map<String, Path> mounts() {
    return Collections.unmodifiableMap(mounts);
  }

  /** The files that the patterns of a job name; see {@link ResultPatterns}. */
  public List<FoundResult> results(List<String> patterns) throws IOException {
    return patterns.isEmpty() ? List.of() : new ResultScan(root, work, inputs, patterns).find();
  }

  /** Whether the task has left nothing that the patterns could name, nor owes anything. */
  public boolean hasNoResults(List<String> patterns) throws IOException {
    return patterns.isEmpty()
        || (isEmpty() && patterns.stream().allMatch(ResultPatterns::hasWildcard));
  }

  private boolean isEmpty() throws IOException {
    return untouchedWork.holds() || isEmpty(work);
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    }
  }

  /** Files that match, whether or not they were there from the start; missing ones are no error. */
  public List<FoundResult> files(List<String> patterns) throws IOException {
    return new ResultScan(root, work, Map.of(), patterns).findPresent();
  }

  /** Whether it is what a new one would be: there, private and empty. */
  boolean isAsNew() {
    return isAsNew(root, untouchedWork) && isAsNew(temporary, untouchedTemporary);
  }

  private static boolean isAsNew(Path folder, Untouched untouched) {
    if (untouched.holds()) {
      return true;
    }
    untouched.look();
    return isEmptyAndPrivate(folder);
  }

  private static boolean isEmptyAndPrivate(Path folder) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext()
          && (!POSIX || Files.getPosixFilePermissions(folder, NOFOLLOW_LINKS).equals(PRIVATE));
    } catch (IOException e) {
      return false;
    }
  }

  /** What one task reads is nothing for the next. */
  void forgetStdin() throws IOException {
    if (reads) {
      Files.deleteIfExists(stdin);
      reads = false;
    }
  }

  /** Removes everything. What the task has made unreadable or undeletable is made deletable. */
  public void delete() throws IOException {
    Files.deleteIfExists(stdout);
    Files.deleteIfExists(stderr);
    forgetStdin();
    if (user.isPresent() && user.get().leavesTraces()) {
      // A host that its task belonged to may live on and put links where folders were.
      user.get().removeTree(List.of(root, temporary));
    } else {
      deleteTree(root);
      deleteTree(temporary);
    }
    if (!mounts.isEmpty()) {
      deleteTree(mounted);
    }
    user.ifPresent(TaskUser::release);
  }

  static void deleteTree(Path folder) throws IOException {
    try {
      Files.delete(folder); // empty, as most are
    } catch (NoSuchFileException e) {
      return;
    } catch (DirectoryNotEmptyException e) {
      Removal removal;
      do {
        removal = new Removal(folder);
        Files.walkFileTree(folder, removal);
      } while (removal.raised);
    }
  }

  /**
   * Removes all below a folder, and the folder. What lies so deep that the system takes no path to
   * it is raised to the top first, for another round.
   */
  private static final class Removal extends SimpleFileVisitor<Path> {
    private static final int MAX_PATH_BYTES = 2_000;

    private final Path top;
    private boolean raised;

    Removal(Path top) {
      this.top = top;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      // Entries of a folder can only be removed while the folder is writable.
      if (POSIX && !Files.getPosixFilePermissions(folder).containsAll(PRIVATE)) {
        Files.setPosixFilePermissions(folder, PRIVATE);
      }
      if (top.relativize(folder).toString().getBytes(StandardCharsets.UTF_8).length
          > MAX_PATH_BYTES) {
        Files.move(
            folder, top.resolve(UUID.randomUUID().toString()), StandardCopyOption.ATOMIC_MOVE);
        raised = true;
        return FileVisitResult.SKIP_SUBTREE;
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (!Files.isDirectory(file)) {
        throw failure;
      }
      Files.setPosixFilePermissions(file, PRIVATE);
      deleteTree(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      if (!raised || !folder.equals(top)) {
        Files.delete(folder);
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
