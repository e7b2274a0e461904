package dev.imker.agent.internal.work;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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
  private final Path work;
  private final Map<String, FileVersion> inputs;
  private final ResultPatterns patterns;
  private final List<FoundResult> found = new ArrayList<>();

  ResultScan(Path work, Map<String, FileVersion> inputs, List<String> patterns) throws IOException {
    this.work = work.toRealPath();
    this.inputs = inputs;
    this.patterns = new ResultPatterns(patterns);
  }

  /**
   * The results, sorted by path.
   *
   * @throws ImkerException when a file that is named without wildcards is missing
   */
  List<FoundResult> find() throws IOException {
    List<FoundResult> present = findPresent();
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
    return FileVisitResult.CONTINUE; // unreadable for us: not a result
  }

  private void take(Path relative, Path file, BasicFileAttributes attributes) {
    String path = ResultPatterns.slashes(relative);
    FileVersion before = inputs.get(path);
    boolean changed = before == null || !before.same(FileVersion.of(attributes));
    if (patterns.match(relative, changed)) {
      found.add(new FoundResult(path, file, attributes.size(), Files.isExecutable(file)));
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
