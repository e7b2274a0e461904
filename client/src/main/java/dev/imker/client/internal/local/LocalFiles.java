package dev.imker.client.internal.local;

import dev.imker.model.ImkerException;
import dev.imker.model.text.SafePath;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files that calls leave when there is no pool: kept until the program's {@code Imker} closes. */
public final class LocalFiles implements AutoCloseable {
  private record Name(String task, String path) {}

  private final Map<Name, Path> kept = new ConcurrentHashMap<>();
  private @Nullable Path folder;

  /**
   * @throws IOException also if the name is none that a pool would take
   */
  TaskFile keep(String task, String name, Path file) throws IOException {
    Optional<String> wrong = SafePath.problem(name);
    if (wrong.isPresent()) {
      throw new IOException(file + " could not be saved: its name " + wrong.get());
    }
    Path copy;
    synchronized (this) {
      if (folder == null) {
        folder = Files.createTempDirectory("imker-files");
      }
      copy = Files.createTempFile(folder, "file", "");
    }
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    Name free = new Name(task, name);
    for (int n = 2; isTaken(free, copy); n++) {
      free = new Name(task, n + "/" + name);
    }
    return new TaskFile(task, free.path, Files.size(copy));
  }

  /** Whether another file has that name; now this one has, otherwise. */
  private boolean isTaken(Name name, Path copy) throws IOException {
    Path other = kept.putIfAbsent(name, copy);
    return other != null && Files.mismatch(other, copy) >= 0;
  }

  public InputStream open(TaskFile file) throws IOException {
    Path copy = kept.get(new Name(file.task(), file.path()));
    if (copy == null) {
      throw new ImkerException("Task " + file.task() + " has no result '" + file.path() + "'.");
    }
    return Files.newInputStream(copy);
  }

  @Override
  public synchronized void close() {
    kept.clear();
    if (folder == null) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      System.err.println("A folder could not be removed: " + e.getMessage());
    }
    folder = null;
  }
}
