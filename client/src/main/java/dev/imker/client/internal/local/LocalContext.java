package dev.imker.client.internal.local;

import dev.imker.tasks.Blackboard;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.TaskFile;
import dev.imker.tasks.coordination.Asker;
import dev.imker.tasks.coordination.Coordination;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a task knows of its run when there is no pool. */
public final class LocalContext implements TaskContext {

  private final String id;
  private final int attempt;
  private final LocalExecutor executor;
  private final AtomicReference<@Nullable Object> checkpoint;
  private @Nullable Path folder;

  /**
   * @param checkpoint where attempts at the same task keep a value for each other
   */
  public LocalContext(
      String id,
      int attempt,
      LocalExecutor executor,
      AtomicReference<@Nullable Object> checkpoint) {
    this.id = id;
    this.attempt = attempt;
    this.executor = executor;
    this.checkpoint = checkpoint;
  }

  @Override
  public String taskId() {
    return id;
  }

  @Override
  public int attempt() {
    return attempt;
  }

  @Override
  public void progress(double fraction, String text) {}

  @Override
  public boolean isCancelled() {
    return Thread.currentThread().isInterrupted();
  }

  @Override
  public void log(String line) {
    System.err.println(id + ": " + line);
  }

  @Override
  public void saveCheckpoint(Object value) {
    checkpoint.set(value);
  }

  @Override
  public <T> Optional<T> checkpoint(Class<T> type) {
    return Optional.ofNullable(checkpoint.get()).filter(type::isInstance).map(type::cast);
  }

  @Override
  public synchronized Path folder() {
    try {
      if (folder == null) {
        Path made = Files.createTempDirectory("imker-task");
        for (Map.Entry<String, Path> file : executor.files().entrySet()) {
          Path target = made.resolve(file.getKey());
          Files.createDirectories(target.getParent());
          Files.copy(file.getValue(), target);
        }
        folder = made;
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public TaskFile saveFile(Path file) throws IOException {
    Path real = file.toRealPath();
    if (!Files.isRegularFile(real)) {
      throw new IOException(file + " is not a file.");
    }
    return executor.savedFiles().keep(id, name(real), real);
  }

  /** Its path in the folder of the task, or else its own name. */
  private synchronized String name(Path file) throws IOException {
    Path home = folder == null ? null : folder.toRealPath();
    return home != null && file.startsWith(home)
        ? home.relativize(file).toString().replace(File.separatorChar, '/')
        : String.valueOf(file.getFileName());
  }

  @Override
  public <T> Spawned<T> spawn(RemoteCallable<T> call) {
    CompletableFuture<T> future = executor.submit(call);
    return () -> future.isDone() ? future.get() : executor.threads().waiting(future::get);
  }

  @Override
  public Coordination coordination() {
    return Coordination.over(
        new Asker() {
          private boolean waits;

          @Override
          public Map<String, Object> ask(String kind, String name, Map<String, Object> body)
              throws InterruptedException {
            LocalCoordination all = executor.together();
            return waits
                ? executor.threads().waiting(() -> all.ask(id, kind, name, body))
                : all.ask(id, kind, name, body);
          }

          @Override
          public void waits(boolean on) {
            waits = on;
          }
        });
  }

  /** The task is over: nobody waits for it any more. */
  public void close() {
    executor.together().gone(id);
    removeFolder();
  }

  private synchronized void removeFolder() {
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
  }

  @Override
  public Blackboard blackboard() {
    return new LocalBoard();
  }
}
