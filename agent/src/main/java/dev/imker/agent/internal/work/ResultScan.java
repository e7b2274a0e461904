package dev.imker.agent.internal.work;

import dev.imker.model.ImkerException;
import dev.imker.model.text.SafeText;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for the results of a task in its work folder. Folders are never entered through symbolic
 * links; a link to a regular file counts as a file if that file lies in the work folder too, and is
 * passed over otherwise, as are devices and pipes.
 */
final class ResultScan extends SimpleFileVisitor<Path> {
  private static final int MAX_RESULTS = 10_000;
  private static final int MAX_SHOWN_CHARS = 100;

  private final Path root;
  private final Path work;
  private final Map<String, FileVersion> inputs;
  private final ResultPatterns patterns;
  private final List<FoundResult> found = new ArrayList<>();
  private final long maxBytes;
  private long bytes;
  private String unread = "";

  /**
   * @param root the folder of the task, which no task can swap; the work folder is that or below
   */
  ResultScan(Path root, Path work, Map<String, FileVersion> inputs, List<String> patterns)
      throws IOException {
    this.root = root.toRealPath();
    this.work = work.toRealPath();
    if (!this.work.startsWith(this.root)) {
      throw new ImkerException("The task replaced its work folder.");
    }
    this.inputs = inputs;
    this.patterns = new ResultPatterns(patterns);
    this.maxBytes = Files.getFileStore(this.work).getTotalSpace();
  }

  /**
   * The results, sorted by path.
   *
   * @throws ImkerException when a file that is named without wildcards is missing
   */
  List<FoundResult> find() throws IOException {
    List<FoundResult> present = findPresent();
    if (!unread.isEmpty()) {
      throw new ImkerException(
          "The task left a folder '%s' that the agent cannot read completely; its content"
                  .formatted(unread)
              + " would be lost.");
    }
    checkNames();
    return present;
  }

  /** As above, whatever is missing. */
  List<FoundResult> findPresent() throws IOException {
    Files.walkFileTree(work, this);
    found.sort(Comparator.comparing(FoundResult::path));
    return found;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Path relative = work.relativize(file);
    if (attributes.isRegularFile()) {
      take(relative, file, attributes);
    } else if (attributes.isSymbolicLink() && Files.isRegularFile(file)) {
      Path target = file.toRealPath();
      if (target.startsWith(work)) {
        take(relative, target, Files.readAttributes(target, BasicFileAttributes.class));
      }
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) {
    Path relative = work.relativize(file);
    boolean mayHoldResults = patterns.match(relative.resolve("any"), true);
    if (mayHoldResults && !(failure instanceof NoSuchFileException)) {
      unread = SafeText.line(relative.toString(), MAX_SHOWN_CHARS);
    }
    return FileVisitResult.CONTINUE;
  }

  private void take(Path relative, Path file, BasicFileAttributes attributes) {
    String path = ResultPatterns.slashes(relative);
    FileVersion before = inputs.get(path);
    boolean changed = before == null || !before.same(FileVersion.of(attributes));
    if (patterns.match(relative, changed)) {
      checkName(relative, path);
      bytes += attributes.size();
      checkBounds();
      found.add(
          new FoundResult(
              path, root, root.relativize(file), attributes.size(), Files.isExecutable(file)));
    }
  }

  /** The names of results are texts; one that is none would be lost on the way. */
  private static void checkName(Path relative, String path) {
    boolean isText;
    try {
      isText = Path.of(path).equals(relative);
    } catch (InvalidPathException e) {
      isText = false;
    }
    if (!isText) {
      throw new ImkerException("The name of the task's result '" + path + "' is not valid UTF-8.");
    }
  }

  /** Files without content but with a length could keep a machine busy for days. */
  private void checkBounds() {
    if (found.size() >= MAX_RESULTS) {
      throw new ImkerException(
          "The task left more than " + MAX_RESULTS + " result files; pack them into an archive.");
    }
    if (bytes > maxBytes) {
      throw new ImkerException(
          "The task's results have %,d bytes or more, more than fits on the node's disk."
              .formatted(bytes));
    }
  }

  private void checkNames() {
    Set<String> seen = new HashSet<>();
    for (FoundResult result : found) {
      for (Path part = Path.of(result.path()); part != null; part = part.getParent()) {
        seen.add(ResultPatterns.slashes(part));
      }
    }
    for (String name : patterns.names()) {
      if (!seen.contains(name) && !Files.isDirectory(work.resolve(name))) {
        throw new ImkerException("The task ended without writing its result '" + name + "'.");
      }
    }
  }
}
