package dev.imker.agent.internal.host;

import dev.imker.agent.internal.host.HostListener.Loss;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.model.BlobId;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.recent.RecentMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Java tasks of an agent. Tasks of the same user, library, heap size and GPUs share a host; one
 * that is not used for a while ends. One more is kept ahead, so that the first task of a library
 * need not wait for a start.
 */
public final class JavaTasks implements AutoCloseable {
  static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long START_PATIENCE_SECONDS = 60;
  private static final int PAYLOADS_KEPT = 200;

  /** Finds the content of blobs on this machine, fetching it first if need be. */
  public interface Blobs {
    Path fetch(BlobId blob) throws IOException, InterruptedException;
  }

  private record Key(
      String user, List<BlobId> library, int megabytes, boolean network, HostNeeds needs) {}

  private record Place(long job, int stage) {}

  private record Parsed(String text, JavaPayload payload) {}

  private final HostSettings settings;
  private final Blobs blobs;
  private @Nullable Hosts hosts;
  private final Map<Key, CompletableFuture<HostProcess>> byKey = new HashMap<>();
  private @Nullable HostProcess spare;
  private boolean closed;
  private final Map<Place, Parsed> payloads = RecentMap.ofLastUsed(PAYLOADS_KEPT);

  public JavaTasks(HostSettings settings, Blobs blobs) {
    this.settings = settings;
    this.blobs = blobs;
  }

  /** What a template says; read once. */
  public synchronized JavaPayload payload(TaskTemplate template) {
    Place place = new Place(template.job().value(), template.stage());
    Parsed known = payloads.get(place);
    if (known == null || !known.text.equals(template.payload())) {
      known = new Parsed(template.payload(), JavaPayload.parse(template.payload()));
      payloads.put(place, known);
    }
    return known.payload;
  }

  private Key key(TaskTemplate template, HostNeeds needs) {
    JavaPayload payload = payload(template);
    return new Key(
        template.user(),
        payload.library(),
        payload.memoryMegabytes() > 0 ? payload.memoryMegabytes() : needs.heapMegabytes,
        template.rules().network(),
        needs);
  }

  /**
   * What a task was given that its host has to have.
   *
   * @param heapMegabytes of a host, unless the job says it; 0: the usual
   * @param gpus devices
   * @param onlyRun the number of the run that it has its host for itself for; 0 for one that is
   *     shared
   */
  public record HostNeeds(int heapMegabytes, List<String> gpus, long onlyRun) {}

  /**
   * Whether tasks of this template could start at once.
   *
   * @param needs what it was given that its host has to have
   */
  public synchronized boolean isReady(TaskTemplate template, HostNeeds needs) {
    CompletableFuture<HostProcess> host = byKey.get(key(template, needs));
    return host != null && isUsable(host);
  }

  private static boolean isUsable(CompletableFuture<HostProcess> host) {
    return host.isDone() && !host.isCompletedExceptionally() && host.join().isUsable();
  }

  /** Has a host with the template's library running; waits for it. */
  public void prepare(TaskTemplate template, HostNeeds needs)
      throws IOException, InterruptedException {
    Key key = key(template, needs);
    CompletableFuture<HostProcess> host;
    boolean mine = false;
    synchronized (this) {
      if (closed) {
        throw new IOException("the agent is closing");
      }
      host = byKey.get(key);
      if (host == null || (host.isDone() && !isUsable(host))) {
        host = new CompletableFuture<>();
        byKey.put(key, host);
        mine = true;
      }
    }
    if (mine) {
      CompletableFuture<HostProcess> opening = host; // others wait for it too, whatever we do
      Thread.ofVirtual().name("imker-host-start").start(() -> open(key, opening));
    }
    try {
      var _ = host.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException runtime -> throw runtime;
        case null, default -> throw new IOException("no task host", e);
      }
    }
  }

  private void open(Key key, CompletableFuture<HostProcess> future) {
    HostProcess host = null;
    try {
      host = takeSpare(key);
      if (host == null) {
        host = hosts().start(key.megabytes, key.network, key.needs.gpus);
      }
      List<Path> jars = lay(key.library, host.folder());
      var _ = host.connected().orTimeout(START_PATIENCE_SECONDS, TimeUnit.SECONDS).get();
      host.library(jars);
      host.noteLibrary();
      future.complete(host);
      startSpare();
    } catch (IOException | RuntimeException | ExecutionException | InterruptedException | Error e) {
      Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
      String why =
          cause instanceof TimeoutException
              ? "it was not there within " + START_PATIENCE_SECONDS + " s"
              : String.valueOf(cause.getMessage());
      failed(
          host,
          future,
          cause instanceof RuntimeException
              ? cause
              : new IOException("A task host could not be started: " + why, cause));
    }
    endIdle(System.nanoTime());
  }

  private static void failed(
      @Nullable HostProcess host, CompletableFuture<HostProcess> future, Throwable why) {
    if (future.completeExceptionally(why) && host != null) {
      host.kill();
    }
  }

  /** Copies, so that no task can change what is kept for others. */
  private List<Path> lay(List<BlobId> library, Path folder)
      throws IOException, InterruptedException {
    List<Path> jars = new ArrayList<>();
    for (BlobId blob : library) {
      Path name = Path.of(blob.sha256() + ".jar");
      Files.copy(blobs.fetch(blob), folder.resolve(name));
      jars.add(name);
    }
    return jars;
  }

  private synchronized Hosts hosts() throws IOException {
    if (closed) {
      throw new IOException("the agent is closing");
    }
    if (hosts == null) {
      hosts = new Hosts(settings);
    }
    return hosts;
  }

  private synchronized @Nullable HostProcess takeSpare(Key key) {
    HostProcess taken =
        key.megabytes == 0 && !key.network && key.needs.gpus.isEmpty() ? spare : null;
    if (taken != null) {
      spare = null;
    }
    return taken != null && taken.isUsable() ? taken : null;
  }

  private void startSpare() throws IOException {
    Hosts running = hosts();
    synchronized (this) {
      if (!closed && spare == null && running.all().size() < settings.most()) {
        spare = running.start(0, false, List.of());
      }
    }
  }

  /**
   * Ends hosts that nobody used for long, with whatever threads their tasks left, and the longest
   * unused ones where there are too many.
   */
  public synchronized void endIdle(long nowNanos) {
    byKey.values().removeIf(host -> host.isDone() && !isUsable(host));
    List<Map.Entry<Key, HostProcess>> idle =
        byKey.entrySet().stream()
            .filter(host -> isUsable(host.getValue()))
            .map(host -> Map.entry(host.getKey(), host.getValue().join()))
            .filter(host -> host.getValue().isIdle())
            .sorted(Comparator.comparingLong(host -> host.getValue().idleSinceNanos()))
            .toList();
    long shared = byKey.keySet().stream().filter(key -> key.needs.onlyRun == 0).count();
    long tooMany = shared - settings.most();
    for (Map.Entry<Key, HostProcess> host : idle) {
      boolean unneeded = host.getKey().needs.onlyRun == 0 && tooMany-- > 0;
      if (unneeded || nowNanos - host.getValue().idleSinceNanos() > IDLE_NANOS) {
        host.getValue().retire();
      }
    }
    byKey.values().removeIf(host -> host.isDone() && !isUsable(host));
  }

  private synchronized List<HostProcess> all() {
    return hosts == null ? List.of() : hosts.all();
  }

  /** Memory of all hosts, those that wait for work included. */
  public long memoryBytes() {
    return all().stream().mapToLong(HostProcess::memoryBytes).sum();
  }

  /** Ends hosts that have no work; false if there were none. */
  public boolean endUnused() {
    List<HostProcess> unused =
        all().stream().filter(host -> host.isIdle() && host.memoryBytes() > 0).toList();
    unused.forEach(HostProcess::retire);
    return !unused.isEmpty();
  }

  /** Ends hosts whose tasks fill the disk. */
  public void limitDisk(long bytesOfTask) {
    all().forEach(host -> host.limitDisk(bytesOfTask));
  }

  /**
   * Starts a task with a prepared template.
   *
   * @param run a number that no other run of this agent has
   */
  public TaskProcess start(TaskTemplate template, long run, Start start, HostListener listener)
      throws IOException {
    CompletableFuture<HostProcess> future;
    synchronized (this) {
      future = byKey.get(key(template, start.needs()));
    }
    if (future == null || !isUsable(future)) {
      listener.lost(
          "The task host had exited before the task started.", Loss.BEFORE_IT_BEGAN, false);
      return new HostedTask(null, run, false);
    }
    HostProcess host = future.join();
    host.run(run, start.work(folder(host, start.folder(), run)), listener);
    return new HostedTask(host, run, start.ofPool());
  }

  /** Nothing more will run in a host that one run had for itself. */
  public void endHost(TaskTemplate template, HostNeeds needs) {
    CompletableFuture<HostProcess> host;
    synchronized (this) {
      host = needs.onlyRun == 0 ? null : byKey.remove(key(template, needs));
    }
    if (host != null) {
      var _ = host.thenAccept(HostProcess::kill);
    }
  }

  /** Has a running task's log told as it is written, or no longer. */
  public static void follow(@Nullable TaskProcess task, boolean on) {
    if (task instanceof HostedTask hosted && hosted.host() != null) {
      hosted.host().follow(hosted.run(), on);
    }
  }

  /**
   * A folder that the host sees: the given one, or, where a sandbox hides that, one of the host's
   * own, into which it is moved.
   */
  private String folder(HostProcess host, @Nullable Path folder, long run) throws IOException {
    if (folder == null) {
      return "";
    }
    if (host.user().isPresent()) {
      host.user().get().giveTree(folder);
    }
    if (!settings.enclosure().mounts()) {
      return folder.toString();
    }
    String name = "task-" + run;
    // As a whole: what runs in the host could put something else in the place of a folder there
    // while files are moved into it.
    Files.move(folder, host.folder().resolve(name), StandardCopyOption.ATOMIC_MOVE);
    return name;
  }

  /**
   * What a task has to do, and where.
   *
   * @param folder with its input files; null if it has none
   * @param granted what tells it how much it got
   * @param ofPool whether it was given something of the whole pool
   * @param needs what it was given that its host has to have
   * @param cores where it is to run; none: where it likes
   */
  public record Start(
      String taskId,
      int attempt,
      @Nullable Path folder,
      String previousError,
      Map<Integer, byte[]> checkpoints,
      Map<String, String> granted,
      boolean ofPool,
      HostNeeds needs,
      BitSet cores,
      Body body) {
    Work work(String seenFolder) {
      Work.Body what =
          switch (body) {
            case Body.Calls calls ->
                new Work.Body.Calls(calls.templates, calls.entries, calls.rules);
            case Body.Action action ->
                new Work.Body.Action(
                    action.action.className(),
                    action.action.arguments(),
                    action.action.given(),
                    action.state,
                    action.undo);
          };
      return new Work(
          taskId,
          attempt,
          seenFolder,
          previousError,
          checkpoints,
          granted,
          cores.toLongArray(),
          what);
    }
  }

  public sealed interface Body {
    record Calls(byte[] templates, byte[] entries, CallRules rules) implements Body {}

    record Action(JavaPayload.Action action, byte[] state, boolean undo) implements Body {}
  }

  private record HostedTask(@Nullable HostProcess host, long run, boolean ofPool)
      implements TaskProcess {
    @Override
    public long pid() {
      return 0;
    }

    /** That of the host is not the task's alone. */
    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public void kill() {
      terminate(0);
    }

    @Override
    public boolean freeze(boolean on) {
      return host != null && host.freeze(on);
    }

    @Override
    public void terminate(long graceMillis) {
      if (host == null) {
        return;
      }
      HostProcess owner = host;
      owner.cancel(run);
      CompletableFuture.delayedExecutor(graceMillis, TimeUnit.MILLISECONDS)
          .execute(() -> owner.abandon(run, ofPool));
    }
  }

  /** Kills all hosts. */
  @Override
  public void close() {
    Hosts running;
    synchronized (this) {
      closed = true;
      running = hosts;
    }
    if (running != null) {
      running.close();
    }
  }
}
