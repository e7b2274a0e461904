package dev.imker.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.chaos.check.FinalTask;
import dev.imker.chaos.check.SubmittedJob;
import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.cluster.ChaosException;
import dev.imker.chaos.cluster.JavaCommand;
import dev.imker.chaos.cluster.Pause;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.api.PoolContext;
import dev.imker.model.ImkerException;
import dev.imker.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Keeps a pool busy with jobs of several kinds, and remembers which were acknowledged. */
public final class PoolLoad implements AutoCloseable {
  private static final int SUBMITTERS = 3;
  private static final int LIVE_JOBS_PER_AGENT = 3;
  private static final long PAUSE_MILLIS = 150;
  private static final long JAVA_SECONDS = 120;
  private static final int REFUSED = 400;
  private static final int IDLE_TASKS_PER_JOB = 1000;

  private final PoolContext context;
  private final WriteAudit audit;
  private final Path folder;
  private final int mostLiveJobs;
  private final JobKinds kinds;
  private final List<SubmittedJob> acknowledged = new CopyOnWriteArrayList<>();
  private final List<Thread> submitters = new ArrayList<>();
  private final Process java;
  private volatile boolean stopping;

  private PoolLoad(PoolContext context, WriteAudit audit, Path folder, long seed, int agents)
      throws IOException {
    this.context = context;
    this.audit = audit;
    this.folder = folder;
    this.mostLiveJobs = LIVE_JOBS_PER_AGENT * agents;
    this.kinds = new JobKinds(seed, script(folder), log());
    java = startJava();
    Runtime.getRuntime().addShutdownHook(new Thread(java::destroyForcibly));
  }

  public static PoolLoad start(
      PoolContext context, WriteAudit audit, Path folder, long seed, int agents) {
    try {
      PoolLoad load = new PoolLoad(context, audit, folder, seed, agents);
      for (int i = 0; i < SUBMITTERS; i++) {
        load.submitters.add(Thread.ofPlatform().name("submitter").daemon().start(load::submit));
      }
      return load;
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

  private Process startJava() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaCommand.own(
                    JavaLoad.class,
                    List.of(log().toString(), returnedFile().toString(), stopFile().toString())))
            .redirectOutput(folder.resolve("logs/java-load.out").toFile())
            .redirectError(folder.resolve("logs/java-load.err").toFile());
    builder.environment().keySet().removeIf(key -> key.startsWith("IMKER_"));
    builder.environment().put("IMKER_URL", urls());
    builder.environment().put("IMKER_TOKEN", context.token());
    if (!context.fingerprint().isEmpty()) {
      builder.environment().put("IMKER_FINGERPRINT", context.fingerprint());
    }
    return builder.start();
  }

  private String urls() {
    return context.urls().stream().map(URI::toString).collect(Collectors.joining(","));
  }

  private Path returnedFile() {
    return folder.resolve("java.returned");
  }

  private Path stopFile() {
    return folder.resolve("java.stop");
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
          submit(api, kinds.next());
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
  private void submit(ApiClient api, JobKinds.Draft draft) {
    while (true) {
      try {
        JsonNode job =
            api.post("/api/v1/jobs", draft.spec(), Map.of("Idempotency-Key", draft.name()));
        acknowledged.add(draft.acknowledged(job.path("id").asLong()));
        return;
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

  /** Submits nothing more; whatever was begun is brought to its end. */
  public void finish() {
    stopping = true;
    try {
      Files.writeString(stopFile(), "");
      for (Thread submitter : submitters) {
        submitter.join();
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

  /** What calls from Java returned; every one must have come back. */
  public List<String> returned() {
    try {
      if (!java.waitFor(JAVA_SECONDS, TimeUnit.SECONDS)) {
        throw new ChaosException("calls from Java did not come back; see java-load.err");
      }
      if (java.exitValue() != 0) {
        throw new ChaosException("a call from Java failed; see java-load.err");
      }
      return Files.exists(returnedFile()) ? Files.readAllLines(returnedFile()) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
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

  @Override
  public void close() {
    stopping = true;
    java.destroyForcibly();
  }
}
