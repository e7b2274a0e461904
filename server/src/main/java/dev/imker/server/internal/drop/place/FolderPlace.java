package dev.imker.server.internal.drop.place;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A drop folder on a disk or a network share. A file is claimed by moving it into a folder that
 * belongs to this server, which only one of many can do.
 */
public final class FolderPlace implements DropPlace {
  private static final String INBOX = "inbox";
  private static final String RUNNING = "running";
  private static final String RESULTS = "results";
  private static final String DATA = "data";
  private static final String CLAIMS = ".imker";
  private static final String FILE = "file";
  private static final String SHOWN = "shown";
  private static final String PROGRESS = ".progress.txt";
  private static final String TROUBLE = ".trouble.txt";
  private static final String PLACED = "placed";
  private static final long SCAN_MILLIS = 10_000;

  private final Path root;
  private final Path claims;
  private final FolderSigns signs;
  private final FolderWatch watch;
  private final PlacedFiles placed;

  private FolderPlace(Path root, String server, long lostMillis) {
    this.root = root;
    this.claims = root.resolve(CLAIMS).resolve(server);
    this.signs = new FolderSigns(root.resolve(CLAIMS), server, lostMillis);
    this.placed = new PlacedFiles(root, root.resolve(CLAIMS).resolve(PLACED));
    this.watch = new FolderWatch(List.of(root.resolve(INBOX), root.resolve(RUNNING)));
  }

  /**
   * Opens a drop folder and makes what is missing of it.
   *
   * @param server tells this server from others that use the same folder
   */
  public static FolderPlace open(Path folder, String server) {
    return open(folder, server, SignsOfLife.LOST_MILLIS);
  }

  public static FolderPlace open(Path folder, String server, long lostMillis) {
    try {
      Files.createDirectories(folder);
      Path root = folder.toRealPath();
      for (String name : List.of(INBOX, RUNNING, ShownEnd.DONE, ShownEnd.FAILED, RESULTS)) {
        Files.createDirectories(root.resolve(name));
      }
      Files.createDirectories(root.resolve(CLAIMS).resolve(server));
      FolderPlace place = new FolderPlace(root, server, lostMillis);
      place.keepRecords();
      return place;
    } catch (IOException e) {
      throw new ImkerException(
          "The drop folder %s cannot be used: %s. Choose a folder that the server may write to."
              .formatted(folder, e.getMessage()),
          e);
    }
  }

  private void keepRecords() throws IOException {
    if (placed.isNew()) {
      Path running = root.resolve(RUNNING);
      for (Path file : FolderTree.files(running)) {
        String name = slashed(running.relativize(file));
        if (name.endsWith(PROGRESS)
            && isRunning(name.substring(0, name.length() - PROGRESS.length()))) {
          placed.adopt(file);
        }
      }
    }
    placed.forgetGone();
  }

  @Override
  public String name() {
    return root.toString();
  }

  // ---------------------------------------------------------------- taking

  @Override
  public Inbox inbox() throws IOException {
    return new FolderInbox(root.resolve(INBOX)).look();
  }

  @Override
  public void showTrouble(String path, String words) throws IOException {
    for (String part : List.of(INBOX, RUNNING)) {
      Path file = in(part, path + TROUBLE);
      boolean here = part.equals(RUNNING) == isRunning(path);
      if (words.isEmpty() || !here) {
        placed.remove(file);
      } else {
        placed.write(file, line(words));
      }
    }
  }

  private Path folderOf(String id) {
    return claims.resolve(id);
  }

  private Path claimed(Claim claim) {
    return folderOf(claim.id()).resolve(FILE).resolve(claim.path());
  }

  /** Tells that a running file is this server's. */
  private Path mark(Claim claim) {
    return folderOf(claim.id()).resolve(SHOWN).resolve(claim.path());
  }

  @Override
  public boolean claim(String id, Waiting file) throws IOException {
    Claim claim = new Claim(id, file.path());
    Path target = claimed(claim);
    Files.createDirectories(target.getParent());
    try {
      Files.move(in(INBOX, file.path()), target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      FolderTree.delete(folderOf(id));
      return false;
    }
    if (!FolderInbox.stamp(target).equals(Optional.of(file.stamp()))) {
      giveBack(claim);
      return false;
    }
    return true;
  }

  @Override
  public List<Claim> claims() throws IOException {
    List<Claim> all = new ArrayList<>();
    for (Path folder : FolderTree.entries(claims)) {
      Path file = folder.resolve(FILE);
      for (Path found : FolderTree.files(file)) {
        all.add(new Claim(folder.getFileName().toString(), slashed(file.relativize(found))));
      }
    }
    return all;
  }

  @Override
  public Optional<byte[]> read(Claim claim) throws IOException {
    Path file = claimed(claim);
    Optional<String> before = FolderInbox.stamp(file);
    byte[] content = Files.readAllBytes(file);
    return FolderInbox.stamp(file).equals(before) ? Optional.of(content) : Optional.empty();
  }

  @Override
  public void giveBack(Claim claim) throws IOException {
    Path target = in(INBOX, claim.path());
    Files.createDirectories(target.getParent());
    if (Files.exists(claimed(claim)) && !PlacedFiles.link(claimed(claim), target)) {
      return; // a newer one of the same name has come; this one is taken as it is next time
    }
    forget(claim);
  }

  @Override
  public JobFiles files(String path) {
    String project = DropNames.project(path);
    Path inbox = root.resolve(INBOX);
    return new FirstFound(
        JobFiles.inside(project.isEmpty() ? inbox : inbox.resolve(project)),
        JobFiles.inside(root.resolve(DATA)));
  }

  // ---------------------------------------------------------------- showing

  @Override
  public Showing showRunning(Claim claim) throws IOException {
    Path target = in(RUNNING, claim.path());
    Path source = claimed(claim);
    if (!Files.exists(source)) {
      return Files.exists(target) ? Showing.SHOWN : Showing.GONE;
    }
    Files.createDirectories(target.getParent());
    makeMark(claim);
    if (PlacedFiles.link(source, target)) {
      placed.remove(in(INBOX, claim.path() + TROUBLE)); // also what was told before a restart
      return Showing.SHOWN;
    }
    Files.deleteIfExists(mark(claim));
    return Showing.OCCUPIED;
  }

  private void makeMark(Claim claim) throws IOException {
    Files.createDirectories(mark(claim).getParent());
    if (!Files.exists(mark(claim))) {
      Files.createFile(mark(claim));
    }
  }

  @Override
  public void release(Claim claim) throws IOException {
    FolderTree.delete(folderOf(claim.id()).resolve(FILE));
  }

  @Override
  public boolean has(Claim claim) {
    return Files.exists(mark(claim)) || Files.exists(claimed(claim));
  }

  @Override
  public void signOfLife(List<Claim> shown) throws IOException {
    if (signs.isFirst()) { // what an older version shows has no mark
      for (Claim claim : shown) {
        makeMark(claim);
      }
    }
    signs.give();
    for (Path lost : signs.lost()) {
      takeBack(lost);
    }
  }

  /** Puts what a lost server had into the inbox; several servers may try that at a time. */
  private void takeBack(Path server) throws IOException {
    for (Path folder : FolderTree.entries(server)) {
      Path file = folder.resolve(FILE);
      for (Path found : FolderTree.files(file)) {
        String path = slashed(file.relativize(found));
        if (!isSame(found, in(RUNNING, path))) { // else it is shown already, and has a mark
          takeBack(found, path);
        }
      }
      Path shown = folder.resolve(SHOWN);
      for (Path found : FolderTree.files(shown)) {
        String path = slashed(shown.relativize(found));
        // Whoever removes the mark has the file.
        if (Files.deleteIfExists(found) && takeBack(in(RUNNING, path), path)) {
          placed.remove(in(RUNNING, path + PROGRESS));
        }
      }
      if (Files.isDirectory(folder)) {
        FolderTree.delete(folder);
      }
    }
  }

  private static boolean isSame(Path one, Path other) throws IOException {
    return Files.exists(other) && Files.isSameFile(one, other);
  }

  /**
   * Claims a file of a lost server, which only one of many can do, and gives it back; false if
   * somebody else has it.
   */
  private boolean takeBack(Path file, String path) throws IOException {
    Claim claim = new Claim(UUID.randomUUID().toString(), path);
    Files.createDirectories(claimed(claim).getParent());
    try {
      Files.move(file, claimed(claim), StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      forget(claim);
      return false;
    }
    giveBack(claim);
    return true;
  }

  @Override
  public void giveSign() throws IOException {
    signs.giveAgain();
  }

  @Override
  public long signMillis() {
    return signs.everyMillis();
  }

  @Override
  public boolean isRunning(String path) {
    return Files.exists(in(RUNNING, path));
  }

  @Override
  public void showProgress(String path, String words) throws IOException {
    Path file = in(RUNNING, path + PROGRESS);
    if (words.isEmpty()) {
      placed.remove(file);
      placed.remove(in(RUNNING, path + TROUBLE));
    } else if (isRunning(path)) {
      placed.write(file, line(words));
    }
  }

  @Override
  public ResultTarget results(Claim claim) throws IOException {
    return new FolderResults(
        folderOf(claim.id()),
        Objects.requireNonNull(in(RESULTS, claim.path()).getParent()),
        claim.path());
  }

  @Override
  public void showEnd(Claim claim, byte[] content, String cause) throws IOException {
    boolean moved = !Files.exists(claimed(claim)) && !isRunning(claim.path());
    ShownEnd.show(
        claim.path(),
        content,
        cause,
        moved,
        new Shown(),
        target -> move(claim, at(target), content));
    showProgress(claim.path(), "");
    forget(claim);
  }

  /** A path that begins with a part of the place. */
  private Path at(String path) {
    int slash = path.indexOf('/');
    return in(path.substring(0, slash), path.substring(slash + 1));
  }

  private void move(Claim claim, Path target, byte[] content) throws IOException {
    Path running = in(RUNNING, claim.path());
    Path own = claimed(claim);
    if (Files.exists(own)) {
      if (isSame(own, running)) {
        Files.delete(running);
      }
      placed.move(own, target);
    } else if (Files.exists(running)) {
      placed.move(running, target);
    } else if (!Files.exists(target)) {
      placed.write(target, content);
    }
  }

  @Override
  public void forget(Claim claim) throws IOException {
    FolderTree.delete(folderOf(claim.id()));
  }

  // ---------------------------------------------------------------- the rest

  private Path in(String part, String path) {
    Path folder = root.resolve(part);
    Path inside = folder.resolve(writable(path)).normalize();
    if (!inside.startsWith(folder) || inside.equals(folder)) {
      throw new ImkerException("The path " + path + " points outside the drop folder.");
    }
    return inside;
  }

  /** A name that this system can write, for what is told of one that it cannot. */
  private static String writable(String path) {
    try {
      return Path.of(path).toString();
    } catch (InvalidPathException e) {
      return path.replaceAll("[^\\x20-\\x7e]", "_");
    }
  }

  private static byte[] line(String words) {
    return (words + "\n").getBytes(StandardCharsets.UTF_8);
  }

  static String slashed(Path path) {
    return path.toString().replace('\\', '/');
  }

  @Override
  public void awaitChange(long millis) throws InterruptedException {
    watch.await(millis);
  }

  @Override
  public long scanMillis() {
    return SCAN_MILLIS;
  }

  @Override
  public void close() {
    watch.close();
  }

  /** What {@link #placed} keeps, by paths that begin with a part of the place. */
  private final class Shown implements ShownEnd.Shelf {
    @Override
    public boolean isFree(String path) throws IOException {
      return placed.isFree(at(path));
    }

    @Override
    public boolean holds(String path, byte[] content) throws IOException {
      Path file = at(path);
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Files.size(file) == content.length
          && Arrays.equals(Files.readAllBytes(file), content);
    }

    @Override
    public void write(String path, byte[] content) throws IOException {
      placed.write(at(path), content);
    }

    @Override
    public void remove(String path) throws IOException {
      placed.remove(at(path));
    }
  }
}
