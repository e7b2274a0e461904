package dev.imker.agent.internal.host;

import dev.imker.tasks.Blackboard;
import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.TaskFile;
import dev.imker.tasks.coordination.Asker;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.Values;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The context of a task in a host. */
final class HostContext implements TaskContext {
  private static final int MAX_TEXT_CHARS = 1_000;

  private final long run;
  private final Work work;
  private final ClassLoader library;
  private final TaskLog log;
  private final HostRuns runs;
  private final SubTasks subTasks;
  private final Map<Integer, byte[]> checkpoints;
  private volatile int call;
  private volatile boolean besideOthers;
  private volatile boolean hasToBeAlone;
  private volatile boolean cancelled;
  private @Nullable Path madeFolder;

  HostContext(long run, Work work, ClassLoader library, TaskLog log, HostRuns runs) {
    this.run = run;
    this.work = work;
    this.library = library;
    this.log = log;
    this.runs = runs;
    this.subTasks = new SubTasks(run, runs);
    this.checkpoints = new ConcurrentHashMap<>(work.checkpoints());
  }

  void cancel() {
    cancelled = true;
  }

  @Override
  public String taskId() {
    return work.taskId();
  }

  @Override
  public int attempt() {
    return work.attempt();
  }

  @Override
  public Map<String, String> granted() {
    return work.granted().isEmpty() ? TaskContext.super.granted() : work.granted();
  }

  @Override
  public void progress(double fraction, String text) {
    double bounded = Double.isNaN(fraction) ? 0 : Math.clamp(fraction, 0, 1);
    runs.progress(run, bounded, text.substring(0, Math.min(text.length(), MAX_TEXT_CHARS)));
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void log(String line) {
    log.line(line);
  }

  /**
   * From now on it is the context of this one of the task's calls.
   *
   * @param beside others that wait for its end
   */
  void call(int position, boolean beside) {
    call = position;
    besideOthers = beside;
    hasToBeAlone = false;
    removeMadeFolder(); // of the call before
  }

  /** Whether the call has to be repeated in a task of its own. */
  boolean hasToBeAlone() {
    return hasToBeAlone;
  }

  /**
   * A call that waits for others must not block those behind it in its task, which may be the ones
   * it waits for. As long as it had no effect, it ends here and is repeated in a task of its own.
   * The same applies to a call that asks for its folder if there are files, which all calls of the
   * task would share.
   */
  private void requireOwnTask() {
    if (besideOthers) {
      hasToBeAlone = true;
      throw new SharedTaskError();
    }
  }

  /** Ends a call that needs a task of its own. */
  private static final class SharedTaskError extends Error {
    private static final long serialVersionUID = 1L;

    SharedTaskError() {
      super(
          "The call is repeated in a task of its own, because it waits for other calls,"
              + " or uses files that they would share.");
    }
  }

  @Override
  public void saveCheckpoint(Object value) {
    byte[] bytes = Values.encode(value, "The checkpoint");
    checkpoints.put(call, bytes);
    runs.checkpoint(run, call, bytes);
  }

  @Override
  public <T> Optional<T> checkpoint(Class<T> type) {
    byte[] kept = checkpoints.get(call);
    return kept == null
        ? Optional.empty()
        : Optional.ofNullable(Values.decode(kept, library))
            .filter(type::isInstance)
            .map(type::cast);
  }

  @Override
  public synchronized Path folder() {
    if (!work.folder().isEmpty()) {
      requireOwnTask(); // others would see what it changes there
      return Path.of(work.folder()).toAbsolutePath();
    }
    try {
      if (madeFolder == null) {
        madeFolder = Files.createTempDirectory("task").toAbsolutePath();
      }
      return madeFolder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public TaskFile saveFile(Path file) throws IOException {
    requireOwnTask(); // its results are the task's
    Path place = Path.of("saved-" + UUID.randomUUID()); // where the agent finds it
    Path real = file.toRealPath();
    if (!Files.isRegularFile(real)) {
      throw new IOException(file + " is not a file.");
    }
    try {
      link(real, place);
      DataInputStream answer =
          new DataInputStream(
              new ByteArrayInputStream(
                  runs.requests()
                      .ask(
                          run,
                          Requests.Kind.SAVE,
                          FrameChannel.content(
                              out -> {
                                out.writeUTF(name(real));
                                out.writeUTF(place.toString());
                              }))));
      return new TaskFile(taskId(), answer.readUTF(), answer.readLong());
    } catch (IllegalStateException e) {
      throw new IOException(file + " could not be saved: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a file was saved");
    } finally {
      Files.deleteIfExists(place);
    }
  }

  private static void link(Path file, Path place) throws IOException {
    try {
      Files.createLink(place, file);
    } catch (IOException | UnsupportedOperationException e) { // on another disk, or not its owner
      Files.copy(file, place);
    }
  }

  /** Its path in the folder of the task, or else its own name. */
  private synchronized String name(Path file) throws IOException {
    Path folder = work.folder().isEmpty() ? madeFolder : Path.of(work.folder());
    Path home = folder == null ? null : folder.toRealPath();
    return home != null && file.startsWith(home)
        ? home.relativize(file).toString().replace(File.separatorChar, '/')
        : String.valueOf(file.getFileName());
  }

  /** Removes folders that are the host's own. */
  void close() {
    removeMadeFolder();
    if (!work.folder().isEmpty() && !Path.of(work.folder()).isAbsolute()) {
      remove(Path.of(work.folder()));
    }
  }

  private synchronized void removeMadeFolder() {
    if (madeFolder != null) {
      remove(madeFolder);
      madeFolder = null;
    }
  }

  private static void remove(Path own) {
    try (Stream<Path> tree = Files.walk(own)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      System.err.println("A folder could not be removed: " + e.getMessage());
    }
  }

  // ------------------------------------------------------------------ what the pool does

  SubTasks subTasks() {
    return subTasks;
  }

  @Override
  public <T> Spawned<T> spawn(RemoteCallable<T> call) {
    requireOwnTask();
    int number = subTasks.spawn(call);
    return () -> joined(number);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
  private <T> T joined(int number) throws ExecutionException, InterruptedException {
    // Another thread may wait while the task itself goes on, and then needs its slot.
    byte[] outcome = subTasks.join(number, this.equals(CurrentTask.get()));
    Object value = Values.decode(CallOutcome.content(outcome), library);
    if (CallOutcome.of(outcome) != CallOutcome.VALUE) {
      Throwable cause =
          value instanceof Failure failure ? failure.rebuilt(library).orElse(null) : null;
      throw new ExecutionException(String.valueOf(value), cause);
    }
    return (T) value;
  }

  @Override
  public Blackboard blackboard() {
    return new Blackboard() {
      @Override
      public Optional<String> read(String key) {
        byte[] text = quietly(Requests.Kind.READ, key, "");
        return text.length == 0
            ? Optional.empty()
            : Optional.of(new String(text, 1, text.length - 1, StandardCharsets.UTF_8));
      }

      @Override
      public void write(String key, String text) {
        quietly(Requests.Kind.WRITE, key, text);
      }
    };
  }

  @Override
  public Coordination coordination() {
    requireOwnTask();
    return Coordination.over(
        new Asker() {
          @Override
          public Map<String, Object> ask(String kind, String name, Map<String, Object> body)
              throws InterruptedException {
            byte[] encoded = Values.encode(body, "The question");
            return HostRequest.map(
                runs.requests()
                    .ask(
                        run,
                        Requests.Kind.COORDINATE,
                        FrameChannel.content(
                            out -> {
                              out.writeUTF(kind);
                              out.writeUTF(name);
                              FrameChannel.writeBytes(out, encoded);
                            })));
          }

          // Another thread may wait while the task itself goes on, and then needs its slot.
          @Override
          public void waits(boolean on) {
            if (HostContext.this.equals(CurrentTask.get())) {
              runs.waiting(run, on);
            }
          }
        });
  }

  private byte[] quietly(Requests.Kind kind, String key, String text) {
    try {
      return runs.requests()
          .ask(
              run,
              kind,
              FrameChannel.content(
                  out -> {
                    out.writeUTF(key);
                    FrameChannel.writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
                  }));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the pool.", e);
    }
  }
}
