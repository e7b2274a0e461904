package dev.imker.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.chaos.check.FinalTask;
import dev.imker.chaos.check.Licences;
import dev.imker.chaos.check.Noticed;
import dev.imker.chaos.check.SubmittedJob;
import dev.imker.chaos.check.Told;
import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.cluster.ChaosException;
import dev.imker.chaos.cluster.Pause;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.client.context.PoolContext;
import dev.imker.model.ImkerException;
import dev.imker.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps a pool busy with jobs of several kinds, and remembers which were acknowledged. */
public final class PoolLoad implements AutoCloseable {
  private static final int SUBMITTERS = 3;
  private static final int LIVE_JOBS_PER_AGENT = 3;
  static final long PAUSE_MILLIS = 150;
  private static final long PATIENCE_SECONDS = 600;
  private static final int REFUSED = 400;
  private static final int OBSERVERS = 2;
  private static final long DROP_MILLIS = 4_000;
  private static final long MOVE_MILLIS = 10_000;
  private static final int IDLE_TASKS_PER_JOB = 1000;

  private final PoolContext context;
  private final WriteAudit audit;
  private final Path folder;
  private final int mostLiveJobs;
  private final HookReceiver hooks;
  private final JobKinds kinds;
  private final List<SubmittedJob> acknowledged = new CopyOnWriteArrayList<>();
  private final ClientView clients;
  private final List<String> dropped = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ReadWriteLock lull = new ReentrantReadWriteLock();
  private int backedUp;
  private volatile boolean stopping;
  private volatile @Nullable Thread waiting;
  private volatile @Nullable JavaClient java;

  private PoolLoad(
      PoolContext context, WriteAudit audit, Path folder, long seed, int agents, int slots)
      throws IOException {
    this.context = context;
    this.audit = audit;
    this.folder = folder;
    this.mostLiveJobs = LIVE_JOBS_PER_AGENT * agents;
    this.hooks = new HookReceiver(context.url());
    this.clients = new ClientView(context, folder, this::acknowledged, () -> stopping);
    this.kinds = new JobKinds(seed, script(folder), log(), slots, hooks.url());
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /**
   * @param slots of all agents together
   * @param onlyJobs whether nobody asks or waits for anything, since the pool may forget it
   */
  public static PoolLoad start(
      PoolContext context,
      WriteAudit audit,
      Path folder,
      long seed,
      int agents,
      int slots,
      boolean onlyJobs) {
    try {
      PoolLoad load = new PoolLoad(context, audit, folder, seed, agents, slots);
      load.prepare();
      for (int i = 0; i < SUBMITTERS; i++) {
        load.begin("submitter", load::submit);
      }
      if (onlyJobs) {
        return load;
      }
      load.java = new JavaClient(context, folder, load.log());
      load.begin("dropper", load::drop);
      load.begin("mover", load::move);
      for (int i = 1; i <= OBSERVERS; i++) {
        String name = "observer " + i;
        load.begin(name, () -> load.clients.observe(name));
      }
      load.waiting = load.begin("waiter", load.clients::await);
      return load;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Hooks may go to this machine, and nothing is old enough to be removed, whatever clocks say. */
  private void prepare() {
    try (ApiClient api = new ApiClient(context)) {
      persistently(() -> api.put("/api/v1/settings", Map.of("notices.allow-private", "true")));
      persistently(
          () ->
              api.put("/api/v1/resources/" + JobKinds.LICENCE, Map.of("amount", Licences.AMOUNT)));
      persistently(() -> api.put("/api/v1/retention", Map.of("doneDays", 1, "failedDays", 1)));
    }
  }

  private Thread begin(String name, Runnable work) {
    Thread thread = Thread.ofPlatform().name(name).daemon().start(work);
    threads.add(thread);
    return thread;
  }

  /** Adds a line to what tasks write themselves. */
  public void note(String line) {
    try {
      Files.writeString(log(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What tasks write themselves. */
  public Path log() {
    return folder.resolve("attempts.log");
  }

  private static Path script(Path folder) throws IOException {
    Path script = folder.resolve("task.sh");
    try (InputStream in = PoolLoad.class.getResourceAsStream("/dev/imker/chaos/task.sh")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    return script;
  }

  /** Adds tasks that nobody can run, so that a leader has much to take over. */
  public static void addIdle(PoolContext context, int tasks) {
    try (ApiClient api = new ApiClient(context)) {
      for (int left = tasks; left > 0; left -= IDLE_TASKS_PER_JOB) {
        int size = Math.min(left, IDLE_TASKS_PER_JOB);
        api.post(
            "/api/v1/jobs",
            Map.of(
                "name",
                WriteAudit.IDLE,
                "command",
                List.of("echo {n}"),
                "sweep",
                List.of(Map.of("name", "n", "range", Map.of("from", 1, "to", size))),
                "needs",
                Map.of("alternatives", List.of(Map.of("labels", List.of("nobody-has-this"))))),
            Map.of("Idempotency-Key", WriteAudit.IDLE + left));
      }
    }
  }

  // ---------------------------------------------------------------- submitting

  private void submit() {
    try (ApiClient api = new ApiClient(context)) {
      while (!stopping) {
        if (hasRoom()) {
          lull.readLock().lock();
          try {
            JobKinds.Draft draft = kinds.next();
            SubmittedJob job = submit(api, draft);
            steer(api, draft, job);
            acknowledged.add(job);
          } finally {
            lull.readLock().unlock();
          }
        } else {
          Pause.millis(PAUSE_MILLIS);
        }
      }
    }
  }

  private boolean hasRoom() {
    try {
      return audit.progress().liveJobs() < mostLiveJobs;
    } catch (SQLException e) {
      return false; // the database is down just now
    }
  }

  /** Says it again, under the same key, until it is heard: what is half known is acknowledged. */
  private static SubmittedJob submit(ApiClient api, JobKinds.Draft draft) {
    JsonNode job =
        persistently(
            () -> api.post("/api/v1/jobs", draft.spec(), Map.of("Idempotency-Key", draft.name())));
    return draft.acknowledged(job.path("id").asLong());
  }

  private void steer(ApiClient api, JobKinds.Draft draft, SubmittedJob job) {
    String path = "/api/v1/jobs/" + job.id().value();
    switch (draft.steering()) {
      case NOTHING -> {}
      case CANCEL -> persistently(() -> api.post(path + "/cancel", Map.of()));
      case RELEASE -> {
        write(draft.gate(), "");
        while (!persistently(() -> api.get(path)).path("status").asText().equals("DONE")) {
          persistently(() -> api.post(path + "/release", Map.of()));
          Pause.millis(PAUSE_MILLIS);
        }
      }
    }
  }

  private static <T> T persistently(Supplier<T> request) {
    while (true) {
      try {
        return request.get();
      } catch (ApiException e) {
        if (e.status() == REFUSED) {
          throw e; // saying it again does not help
        }
        Pause.millis(PAUSE_MILLIS);
      } catch (ImkerException e) {
        Pause.millis(PAUSE_MILLIS);
      }
    }
  }

  // ---------------------------------------------------------------- other ways in and out

  /** The folder whose files become jobs; all servers are told of it. */
  public static Path dropFolder(Path folder) {
    return folder.resolve("drop");
  }

  private void drop() {
    for (int i = 1; !stopping; i++) {
      String name = "drop" + i;
      Path inbox = dropFolder(folder).resolve("inbox");
      if (Files.isDirectory(inbox) && hasRoom()) {
        Path file = write(folder.resolve(name), kinds.jobFile(name));
        try {
          Files.move(file, inbox.resolve(name + ".yaml"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        dropped.add(name);
      }
      pause(DROP_MILLIS);
    }
  }

  /** Jobs that are exported, imported again, and removed as the rules say. */
  private void move() {
    Path archive = folder.resolve("going.zip");
    try (ApiClient api = new ApiClient(context)) {
      for (int i = 1; !stopping; i++) {
        Map<String, Object> spec =
            Map.of("name", WriteAudit.GOING, "command", List.of("echo " + i));
        Map<String, String> key = Map.of("Idempotency-Key", WriteAudit.GOING + i);
        long id = persistently(() -> api.post("/api/v1/jobs", spec, key)).path("id").asLong();
        String path = "/api/v1/jobs/" + id;
        while (!persistently(() -> api.get(path)).path("status").asText().equals("DONE")) {
          Pause.millis(PAUSE_MILLIS);
        }
        try {
          api.download("/api/v1/export?q=" + id, archive);
          api.postFile("/api/v1/import", "application/zip", archive);
          api.delete(path);
          api.post("/api/v1/retention/run", Map.of("dryRun", false, "graceMinutes", 10));
        } catch (ImkerException e) {
          Pause.millis(PAUSE_MILLIS); // it may be there twice or not at all: nobody was told
        }
        pause(MOVE_MILLIS);
      }
    }
  }

  private void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (!stopping && System.nanoTime() < end) {
      Pause.millis(PAUSE_MILLIS);
    }
  }

  // ---------------------------------------------------------------- a pool that forgets

  /** Nothing is under way while this is done, so that it is known what a backup has. */
  public void backUp(Runnable backup) {
    lull.writeLock().lock();
    try {
      backup.run();
      backedUp = acknowledged.size();
    } finally {
      lull.writeLock().unlock();
    }
  }

  /** What was acknowledged after the backup is gone, and nobody is to expect it. */
  public void restore(Runnable restore) {
    lull.writeLock().lock();
    try {
      restore.run();
      List<SubmittedJob> gone = List.copyOf(acknowledged.subList(backedUp, acknowledged.size()));
      acknowledged.removeAll(gone);
      clients.forget(one -> gone.stream().anyMatch(job -> job.id().equals(one.job())));
    } finally {
      lull.writeLock().unlock();
    }
  }

  /** Submits nothing more; whatever was begun is brought to its end. */
  public void finish() {
    stopping = true;
    try {
      JavaClient calls = java;
      if (calls != null) {
        calls.finish();
      }
      for (Thread thread : threads) {
        if (!thread.equals(waiting)) {
          thread.join();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }

  // ---------------------------------------------------------------- what came of it

  public List<SubmittedJob> acknowledged() {
    return List.copyOf(acknowledged);
  }

  public List<Told> told() {
    try {
      Thread last = waiting;
      if (last != null && !last.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
        throw new ChaosException("'imker wait' did not come back; see wait.err");
      }
      return clients.told();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }

  /** What calls from Java returned, by their number; every one must have come back. */
  public Map<Integer, String> returned() {
    JavaClient calls = java;
    return calls == null ? Map.of() : calls.returned();
  }

  /** Every job that was put into the drop folder, and whether it is shown as done. */
  public Map<String, Boolean> dropped() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    Map<String, Boolean> shown = new HashMap<>();
    do {
      for (String name : dropped) {
        shown.put(name, Files.exists(dropFolder(folder).resolve("done").resolve(name + ".yaml")));
      }
      Pause.millis(PAUSE_MILLIS);
    } while (shown.containsValue(false) && System.nanoTime() < deadline);
    return shown;
  }

  /** What came of the messages of all jobs that have a web hook. */
  public List<Noticed> notices() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    List<Noticed> notices = new ArrayList<>();
    try (ApiClient api = new ApiClient(context)) {
      for (SubmittedJob job : acknowledged) {
        if (job.name().startsWith(JobKinds.NOTICED)) {
          Noticed found = notices(api, job);
          while (found.isOpen() && System.nanoTime() < deadline) {
            Pause.millis(PAUSE_MILLIS);
            found = notices(api, job);
          }
          notices.add(found);
        }
      }
    }
    return notices;
  }

  private Noticed notices(ApiClient api, SubmittedJob job) {
    JsonNode answer = api.get("/api/v1/jobs/" + job.id().value() + "/notices");
    List<String> states = answer.path("notices").findValuesAsText("state");
    return new Noticed(job.id(), states, hooks.received(job.id()));
  }

  /** What the pool says of the tasks of all acknowledged jobs. */
  public List<FinalTask> tasks() {
    List<FinalTask> tasks = new ArrayList<>();
    try (ApiClient api = new ApiClient(context)) {
      for (SubmittedJob job : acknowledged) {
        String path = "/api/v1/jobs/" + job.id().value() + "/tasks?limit=1000&output=true";
        for (JsonNode task : api.get(path).path("tasks")) {
          tasks.add(
              new FinalTask(
                  new TaskId(job.id(), task.path("number").asInt() - 1),
                  task.path("state").asText(),
                  task.path("stdoutText").asText().lines().toList()));
        }
      }
    }
    return tasks;
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stopping = true;
    hooks.close();
    clients.close();
    JavaClient calls = java;
    if (calls != null) {
      calls.close();
    }
  }
}
