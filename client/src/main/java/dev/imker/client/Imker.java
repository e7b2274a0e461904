package dev.imker.client;

import dev.imker.client.context.PoolContext;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.http.PoolFile;
import dev.imker.client.internal.http.RestClient;
import dev.imker.client.internal.local.LocalActor;
import dev.imker.client.internal.local.LocalExecutor;
import dev.imker.client.internal.local.LocalFiles;
import dev.imker.client.internal.local.LocalThreads;
import dev.imker.client.internal.plan.LocalPlanRun;
import dev.imker.client.internal.plan.PoolPlanRun;
import dev.imker.client.internal.pool.CallResults;
import dev.imker.client.internal.pool.JobSession;
import dev.imker.client.internal.pool.PoolExecutor;
import dev.imker.client.internal.pool.PoolJob;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool, seen from a Java program.
 *
 * <pre>{@code
 * try (Imker imker = Imker.connect(); ImkerExecutor pool = imker.executor()) {
 *   Future<Integer> answer = pool.submit(() -> 6 * 7);
 * }
 * }</pre>
 */
public final class Imker implements AutoCloseable {
  private static final Duration ASK_PATIENCE = Duration.ofSeconds(5);

  private final @Nullable JobSession session;
  private final int threads;
  private final List<ImkerExecutor> executors = new ArrayList<>();

  /** For a program without a pool. */
  private final Map<String, LocalActor.Kept> actors = new ConcurrentHashMap<>();

  /** For a program without a pool: files saved by calls. */
  private final LocalFiles files = new LocalFiles();

  private Imker(@Nullable JobSession session, int threads) {
    this.session = session;
    this.threads = threads;
  }

  /**
   * Connects to the same pool as the command line: {@code IMKER_URL} and {@code IMKER_TOKEN}, or
   * the pool last started on this machine.
   */
  public static Imker connect() {
    return connect(PoolContext.find(null, null, System.getenv()));
  }

  /** Connects to a pool at an address such as {@code http://localhost:7070}. */
  public static Imker connect(String url, String token) {
    return connect(PoolContext.find(url, token, System.getenv()));
  }

  private static Imker connect(PoolContext address) {
    try {
      return new Imker(new JobSession(new RestClient(address)).start(), 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while connecting", e);
    }
  }

  /** Without a pool: everything runs on threads of this program. */
  public static Imker local(int threads) {
    return new Imker(null, threads);
  }

  /**
   * The number of tasks that the pool can currently run at once; without a pool, the number of
   * threads.
   *
   * @throws ImkerException if no server answers within seconds
   */
  public int slots() {
    if (session == null) {
      return threads;
    }
    try {
      return session.rest().within(ASK_PATIENCE).get("/api/v1/pool").path("slots").asInt();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while waiting for the pool", e);
    }
  }

  public ImkerExecutor executor() {
    return executor(ExecutorOptions.USUAL);
  }

  public ImkerExecutor executor(ExecutorOptions options) {
    JobSession connected = session;
    ImkerExecutor executor =
        connected == null
            ? new LocalExecutor(new LocalThreads(threads, "imker-local-"), options, actors, files)
            : new PoolExecutor(connected, options, new Shipping(options.jars()));
    synchronized (executors) {
      executors.add(executor);
    }
    return executor;
  }

  /**
   * A job described by known facts and wanted results.
   *
   * @param name of the job in lists
   */
  public PlannedJob planned(String name) {
    JobSession connected = session;
    return new PlannedJob(connected == null ? localPlans() : new PoolPlanRun(connected), name);
  }

  /**
   * The job that was submitted under a key with {@link ImkerExecutor#mapDurably}, by this program
   * or another one.
   *
   * @param type of its results
   * @throws ImkerException if the pool has none
   */
  public <T> JobHandle<List<T>> attach(String key, Class<T> type) {
    JobSession connected = requirePool();
    ClassLoader loader = type.getClassLoader();
    return PoolJob.follow(
        connected,
        key,
        find(connected, key),
        new CallResults<>(connected, loader == null ? programLoader() : loader));
  }

  /**
   * The job that was submitted under a key with {@link PlannedJob#submit(String)}, by this program
   * or another one. It provides the values that its tasks produced.
   *
   * @throws ImkerException if the pool has none
   */
  public JobHandle<Wanted> attachPlanned(String key) {
    JobSession connected = requirePool();
    return PoolPlanRun.follow(connected, key, find(connected, key), programLoader(), Map.of());
  }

  /**
   * The content of a file saved by a call, as a stream.
   *
   * @throws ImkerException if the pool no longer has it
   */
  public InputStream open(TaskFile file) throws IOException {
    JobSession connected = session;
    if (connected == null) {
      return files.open(file);
    }
    try {
      return new PoolFile(connected.rest(), file);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while a file was fetched", e);
    }
  }

  /**
   * Downloads a file saved by a call; it appears at its new path when it is complete.
   *
   * @param place its new path; missing folders are created
   * @throws ImkerException if the pool no longer has it
   */
  public void fetch(TaskFile file, Path place) throws IOException {
    Path target = place.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new IOException(target + " is a folder; name the new file in it.");
    }
    Path folder = Files.createDirectories(target.resolveSibling(""));
    Path draft = folder.resolve(".imker-" + UUID.randomUUID() + ".part");
    try (InputStream content = open(file)) {
      Files.copy(content, draft);
      if (Files.size(draft) != file.size()) {
        throw new IOException(
            "%s of task %s came with %,d instead of %,d bytes"
                .formatted(file.path(), file.task(), Files.size(draft), file.size()));
      }
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private JobSession requirePool() {
    if (session == null) {
      throw new ImkerException("Without a pool, jobs do not outlive the program.");
    }
    return session;
  }

  private static long find(JobSession session, String key) {
    try {
      return session.find(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while looking for a job", e);
    }
  }

  private static ClassLoader programLoader() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  private LocalPlanRun localPlans() {
    LocalThreads plans = new LocalThreads(threads, "imker-plan-");
    LocalExecutor executor = new LocalExecutor(plans, ExecutorOptions.USUAL, actors, files);
    synchronized (executors) {
      executors.add(executor);
    }
    return new LocalPlanRun(plans, executor);
  }

  /**
   * Closes the connection and cancels unfinished calls and planned jobs. Jobs with their own key
   * continue.
   */
  @Override
  public void close() {
    synchronized (executors) {
      executors.forEach(ImkerExecutor::shutdownNow);
    }
    if (session != null) {
      session.close();
    }
    files.close();
  }
}
