package dev.imker.client.internal.local;

import dev.imker.model.ImkerException;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Files that calls leave when there is no pool: kept until the program's {@code Imker} closes. */
public final class LocalFiles implements AutoCloseable {
  private final Map<TaskFile, Path> kept = new ConcurrentHashMap<>();
  private @Nullable Path folder;

  TaskFile keep(String task, String name, Path file) throws IOException {
    Path copy;
    synchronized (this) {
      if (folder == null) {
        folder = Files.createTempDirectory("imker-files");
      }
      copy = Files.createTempFile(folder, "file", "");
    }
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    long size = Files.size(copy);
    String free = name;
    for (int n = 2; kept.putIfAbsent(new TaskFile(task, free, size), copy) != null; n++) {
      free = n + "/" + name;
    }
    return new TaskFile(task, free, size);
  }

  public InputStream open(TaskFile file) throws IOException {
    Path copy = kept.get(file);
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
