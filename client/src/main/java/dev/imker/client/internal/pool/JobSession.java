package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.internal.http.MissingBlobsException;
import dev.imker.client.internal.http.RestClient;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.http.EventStream;
import dev.imker.model.http.RequestMarks;
import dev.imker.tasks.coordination.Coordination;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one client. Jobs are submitted in its session, and one stream from the server brings
 * the outcomes of all of them. When the stream breaks, it is opened again, and then asked for what
 * it missed; a job is submitted again under its key, which makes no second one.
 */
public final class JobSession implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.imker.client");
  private static final int MAX_WARNED = 1_000;
  private static final Duration START_PATIENCE = Duration.ofSeconds(15);
  private static final long CANCEL_PATIENCE_SECONDS = 5;

  private final RestClient rest;
  private final LibrarySignatures signatures;
  private final Deposit deposit;
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong lastKey = new AtomicLong();
  private final AtomicLong lastGroup = new AtomicLong();
  private final AtomicLong lastMember = new AtomicLong();
  private final Map<String, Followed> byKey = new ConcurrentHashMap<>();
  private final Map<String, Long> jobs = new ConcurrentHashMap<>();
  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final CountDownLatch opened = new CountDownLatch(1);
  private final AtomicLong replays = new AtomicLong();
  private final AtomicLong opens = new AtomicLong();
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread listener;
  private final ExecutorService cancels = Executors.newVirtualThreadPerTaskExecutor();

  /** Submissions that are under way, and the session itself. */
  private final Phaser submissions = new Phaser(1);

  private volatile @Nullable RuntimeException broken;
  private volatile boolean open;
  private volatile boolean closed;

  public JobSession(RestClient rest) {
    this.rest = rest;
    this.signatures = new LibrarySignatures(rest);
    this.deposit = new Deposit(rest);
    this.listener = Thread.ofPlatform().daemon().name("imker-outcomes").unstarted(this::listen);
  }

  /** Begins to listen; on return the server has answered. */
  public JobSession start() throws InterruptedException {
    rest.within(START_PATIENCE).get("/api/v1/pool");
    listener.start();
    opened.await();
    requireWhole();
    return this;
  }

  /** Without the stream nobody would hear of what is submitted. */
  private void requireWhole() {
    RuntimeException cause = broken;
    if (cause != null) {
      throw new ImkerException(String.valueOf(cause.getMessage()), cause);
    }
  }

  public LibrarySignatures signatures() {
    return signatures;
  }

  public RestClient rest() {
    return rest;
  }

  public ExecutorService workers() {
    return workers;
  }

  /**
   * Submits a job and follows it; returns its number.
   *
   * @param blobs the content of its inputs
   */
  public long submit(byte[] spec, Map<BlobId, byte[]> blobs, Followed followed)
      throws InterruptedException {
    return submit(spec, blobs, name + "/" + lastKey.incrementAndGet(), followed);
  }

  /** A part of keys under which jobs that belong together are submitted. */
  String nextGroup() {
    return name + "/" + lastGroup.incrementAndGet();
  }

  /** The same for one of the jobs of a group. */
  long submitIn(String group, byte[] spec, Map<BlobId, byte[]> blobs, Followed followed)
      throws InterruptedException {
    return submit(spec, blobs, group + "/" + lastKey.incrementAndGet(), followed);
  }

  /**
   * The same under a key of its own.
   *
   * @throws dev.imker.client.internal.http.KeyTakenException if another job has it
   */
  long submit(byte[] spec, Map<BlobId, byte[]> blobs, String key, Followed followed)
      throws InterruptedException {
    deposit.bring(blobs);
    try {
      return submit(spec, key, followed);
    } catch (MissingBlobsException e) {
      deposit.forget(blobs.keySet());
      deposit.bring(blobs);
      return submit(spec, key, followed);
    }
  }

  /** One more that takes part for this program in what its calls do together. */
  Coordination coordination(String scope) {
    ProgramCoordination member =
        new ProgramCoordination(
            rest, name, scope, lastMember.incrementAndGet(), new RequestMarks());
    if (member.member() == 1) {
      workers.execute(member::stay);
    }
    return Coordination.over(member);
  }

  /** What only one thread of this program may do at a time. */
  ReentrantLock lock(String what) {
    return locks.computeIfAbsent(what, _ -> new ReentrantLock());
  }

  /**
   * Submits a job that outlives this client, or finds it if it was submitted before; returns its
   * number.
   *
   * @throws ImkerException also if the key belongs to another job
   */
  public long submitDurably(byte[] spec, Map<BlobId, byte[]> blobs, String key)
      throws InterruptedException {
    deposit.bring(blobs);
    try {
      return post(spec, key);
    } catch (MissingBlobsException e) {
      deposit.forget(blobs.keySet());
      deposit.bring(blobs);
      return post(spec, key);
    }
  }

  private long post(byte[] spec, String key) throws InterruptedException {
    return accepted(rest.post("/api/v1/jobs", spec, Map.of("Idempotency-Key", key)));
  }

  /** The number of a job; what the server has to say of it, such as that nobody can run it. */
  private long accepted(JsonNode job) {
    long id = job.path("id").asLong();
    for (JsonNode warning : job.path("warnings")) {
      if (warned.size() < MAX_WARNED && warned.add(warning.asText())) {
        LOG.log(System.Logger.Level.WARNING, "Job {0,number,#}: {1}", id, warning.asText());
      }
    }
    return id;
  }

  /**
   * The number of the job that was submitted under a key.
   *
   * @throws ImkerException if there is none
   */
  public long find(String key) throws InterruptedException {
    JsonNode job = rest.get("/api/v1/jobs?key=" + encoded(key)).path("jobs").path(0);
    if (job.isMissingNode()) {
      throw new ImkerException(
          "You have no job with the key " + key + "; it may have been deleted.");
    }
    return job.path("id").asLong();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** How the only task of a job has ended. */
  Followed.Outcome onlyOutcome(long job) throws InterruptedException {
    try {
      return outcome(rest.get("/api/v1/jobs/" + job + "/outcomes").path("outcomes").path(0));
    } catch (IOException e) {
      throw new ImkerException("The outcome of job " + job + " cannot be read.", e);
    }
  }

  /** How the tasks of a job have ended, in the order of their numbers. */
  public List<JsonNode> outcomes(long job) throws InterruptedException {
    List<JsonNode> outcomes = new ArrayList<>();
    for (int from = 1; from > 0; ) {
      JsonNode page = rest.get("/api/v1/jobs/" + job + "/outcomes?limit=10000&from=" + from);
      page.path("outcomes").forEach(outcomes::add);
      from = page.path("next").asInt(0);
    }
    return outcomes;
  }

  /** What a task wrote; null if it did not. */
  public byte @Nullable [] stdout(long job, JsonNode outcome)
      throws IOException, InterruptedException {
    if (outcome.path("stdoutBlob").asBoolean(false)) {
      return rest.bytes(
          "/api/v1/tasks/%d.%d/stdout".formatted(job, outcome.path("number").asInt()));
    }
    return outcome.has("stdout") ? outcome.path("stdout").binaryValue() : null;
  }

  private long submit(byte[] spec, String key, Followed followed) throws InterruptedException {
    byKey.put(key, followed);
    requireWhole(); // after it is known, so that whoever breaks it either sees it or is seen
    long before = opens.get();
    submissions.register();
    try {
      if (closed) {
        throw new ImkerException("The connection to the pool was closed.");
      }
      long id =
          accepted(rest.post("/api/v1/jobs?session=" + name, spec, Map.of("Idempotency-Key", key)));
      jobs.put(key, id);
      if (closed && followed.endsWithProgram()) {
        cancel(id, Map.of()); // whoever follows it could not: it had no number yet
      }
      if (!byKey.containsKey(key)) {
        jobs.remove(key); // its last outcome was quicker than the answer to its submission
      } else if (!open || opens.get() != before) {
        workers.execute(() -> replay(key, id));
      }
      return id;
    } catch (ImkerException | InterruptedException e) {
      byKey.remove(key);
      throw e;
    } finally {
      submissions.arriveAndDeregister();
    }
  }

  /** Cancels a job or some of its tasks, without waiting for that; one that has ended stays so. */
  public void cancel(long job, Map<String, Integer> range) {
    try {
      cancels.execute(() -> cancelNow(job, range));
    } catch (RejectedExecutionException e) {
      return; // closed: it runs to its end
    }
  }

  private void cancelNow(long job, Map<String, Integer> range) {
    try {
      rest.within(Duration.ZERO)
          .post("/api/v1/jobs/" + job + "/cancel", RestClient.bytes(range), Map.of());
    } catch (ImkerException e) {
      return; // it is settled already, or runs to its end: nobody waits for it
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() {
    try {
      rest.events("/api/v1/outcomes?session=" + name, () -> !byKey.isEmpty())
          .listen(
              new EventStream.Listener() {
                @Override
                public boolean heard(String event, String data) {
                  handle(event, data);
                  return !closed;
                }

                @Override
                public void lost(String why) {
                  open = false;
                }
              });
    } catch (InterruptedException e) {
      return;
    } catch (RuntimeException e) {
      if (!closed) {
        broken = e;
        failAll(e);
        opened.countDown();
      }
    } finally {
      open = false;
    }
  }

  private void failAll(RuntimeException cause) {
    byKey.values().forEach(followed -> followed.fail(cause));
    byKey.clear();
    jobs.clear();
  }

  private void handle(String event, String data) {
    switch (event) {
      case "open" -> {
        opens.incrementAndGet();
        open = true;
        opened.countDown();
        replayAll();
      }
      case "missed" -> replayAll();
      case "alive" -> {
        if (replays.get() == 0) {
          replayAll(); // a quiet while: whatever was missed in a restart is asked for now
        }
      }
      case "outcomes" -> workers.execute(() -> outcomes(data));
      default -> {} // of a later version
    }
  }

  private void replayAll() {
    new HashMap<>(jobs).forEach((key, job) -> workers.execute(() -> replay(key, job)));
  }

  private void outcomes(String data) {
    try {
      for (JsonNode node : RestClient.JSON.readTree(data)) {
        tell(node.path("key").asText(), node);
      }
    } catch (IOException e) {
      replayAll();
    }
  }

  private void tell(String key, JsonNode node) throws IOException {
    Followed followed = byKey.get(key);
    if (followed == null) {
      return;
    }
    if (node.path("state").asText().equals("SETTLED")) {
      followed.settled(false);
    } else {
      followed.ended(outcome(node));
    }
    forgetIfOver(key, followed);
  }

  private void forgetIfOver(String key, Followed followed) {
    if (followed.isOver()) {
      byKey.remove(key);
      jobs.remove(key);
    }
  }

  private static Followed.Outcome outcome(JsonNode node) throws IOException {
    int number = node.path("number").asInt();
    return new Followed.Outcome(
        number,
        node.path("last").asInt(number),
        node.path("state").asText(),
        node.has("stdout") ? node.path("stdout").binaryValue() : null,
        node.path("stdoutBlob").asBoolean(false),
        node.path("error").asText(""));
  }

  /**
   * Asks for all outcomes of a job so far. Whether it has settled is asked first: only then what
   * follows is all there is.
   */
  private void replay(String key, long job) {
    replays.incrementAndGet();
    try {
      JsonNode view = rest.get("/api/v1/jobs/" + job);
      for (int from = 1; from > 0; ) {
        JsonNode outcomes = rest.get("/api/v1/jobs/" + job + "/outcomes?from=" + from);
        for (JsonNode node : outcomes.path("outcomes")) {
          tell(key, node);
        }
        from = outcomes.path("next").asInt(0);
      }
      Followed followed = byKey.get(key);
      if (followed != null && view.hasNonNull("settled")) {
        followed.settled(true);
        forgetIfOver(key, followed);
      }
    } catch (RestClient.AwayException e) {
      return; // the next stream that opens, or the next sign of life, asks again
    } catch (IOException | InterruptedException | ImkerException e) {
      jobs.remove(key);
      Followed followed = byKey.remove(key);
      if (followed != null && !closed) {
        followed.fail(new ImkerException("The outcome of job " + job + " is unknown.", e));
      }
    } finally {
      replays.decrementAndGet();
    }
  }

  /** A job on its way to the server can be cancelled once it is there. */
  private void awaitSubmissions() {
    try {
      submissions.awaitAdvanceInterruptibly(
          submissions.arrive(), CANCEL_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      LOG.log(System.Logger.Level.DEBUG, "A job is still being submitted", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    byKey.values().forEach(Followed::cancel);
    awaitSubmissions();
    cancels.shutdown();
    try {
      cancels.awaitTermination(CANCEL_PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener.interrupt();
    rest.close();
    workers.shutdownNow();
    failAll(new ImkerException("The connection to the pool was closed."));
  }
}
