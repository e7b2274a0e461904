package dev.imker.agent.internal.host;

import dev.imker.tasks.Blackboard;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.Values;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a task in a host knows of its run. */
final class HostContext implements TaskContext {
  /** Checkpoints of Java tasks are files of this name in their folder. */
  static final String CHECKPOINT = "checkpoint.cbor";

  private static final int MOST_TEXT_CHARS = 1_000;

  private final long run;
  private final Work work;
  private final ClassLoader library;
  private final TaskLog log;
  private final HostRuns runs;
  private volatile boolean cancelled;
  private @Nullable Path madeFolder;

  HostContext(long run, Work work, ClassLoader library, TaskLog log, HostRuns runs) {
    this.run = run;
    this.work = work;
    this.library = library;
    this.log = log;
    this.runs = runs;
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
  public void progress(double fraction, String text) {
    double bounded = Math.clamp(fraction, 0, 1);
    runs.progress(run, bounded, text.substring(0, Math.min(text.length(), MOST_TEXT_CHARS)));
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void log(String line) {
    log.line(line);
  }

  @Override
  public void saveCheckpoint(Object value) {
    byte[] bytes = Values.encode(value, "The checkpoint");
    try {
      Path fresh = Files.write(folder().resolve(CHECKPOINT + ".new"), bytes);
      Files.move(
          fresh,
          folder().resolve(CHECKPOINT),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public <T> Optional<T> checkpoint(Class<T> type) {
    Path file = folder().resolve(CHECKPOINT);
    try {
      return Files.exists(file)
          ? Optional.ofNullable(Values.decode(Files.readAllBytes(file), library))
              .filter(type::isInstance)
              .map(type::cast)
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized Path folder() {
    if (!work.folder().isEmpty()) {
      return Path.of(work.folder());
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

  /** Removes the folder, if one was made here. */
  synchronized void close() {
    if (madeFolder == null) {
      return;
    }
    try (Stream<Path> tree = Files.walk(madeFolder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      System.err.println("A folder stays behind: " + e.getMessage());
    }
  }

  // ------------------------------------------------------------------ what the pool does

  private byte[] ask(Requests.Kind kind, byte[] content) throws InterruptedException {
    return runs.requests().ask(run, kind, content);
  }

  @Override
  public <T> Spawned<T> spawn(RemoteCallable<T> call) {
    CallTable.Builder calls = new CallTable.Builder();
    calls.add(call);
    try {
      byte[] ticket =
          ask(
              Requests.Kind.SPAWN,
              FrameChannel.content(
                  out -> {
                    FrameChannel.writeBytes(out, calls.templates());
                    FrameChannel.writeBytes(out, calls.entries());
                  }));
      return () -> joined(ticket);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while spawning a task.", e);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"})
  private <T> T joined(byte[] ticket) throws ExecutionException, InterruptedException {
    byte[] outcome = ask(Requests.Kind.JOIN, ticket);
    Object value = Values.decode(Arrays.copyOfRange(outcome, 1, outcome.length), library);
    if (outcome[0] != 0) {
      String why = value instanceof Failure failure ? failure.toString() : String.valueOf(value);
      throw new ExecutionException(new IllegalStateException(why));
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

  private byte[] quietly(Requests.Kind kind, String key, String text) {
    try {
      return ask(
          kind,
          FrameChannel.content(
              out -> {
                out.writeUTF(key);
                FrameChannel.writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
              }));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while asking the pool.", e);
    }
  }
}
