package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.http.RestClient;
import dev.imker.client.internal.shipping.NotShippableException;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.model.ImkerException;
import dev.imker.tasks.Blackboard;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.Shared;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The executor of a pool. Calls gather in a batch while the one before is on its way to the server;
 * a batch becomes a job, and so many of its calls a task as take a few milliseconds together.
 */
public final class PoolExecutor extends BaseExecutor implements CallBatch.Listener {
  private static final int MAX_CALLS = 20_000;

  /** So many calls of an actor are made in one turn. */
  private static final int MAX_TURN = 1_000;

  /** With that many under way there is time to gather a larger batch. */
  private static final int PLENTY = 2_000;

  private static final long GATHER_MILLIS = 5;
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** A call that takes longer is too long for a task that it shares. */
  private static final long PATIENCE_MILLIS = 2_000;

  private static final long SLOTS_VALID_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final JobSession session;
  private final ExecutorOptions options;
  private final Shipping shipping;
  private final CallCode code;
  private final CallJobs jobs;
  private final ChunkSize chunkSize;
  private final String scope = UUID.randomUUID().toString();
  private final String group;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CallQueue waiting;
  private final Set<CallBatch> sent = new HashSet<>();

  /** Calls that failed and are made again after a pause. */
  private final Set<CallQueue.Entry> paused = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Thread sender;
  private long underWay;

  /** How many more than usual may be under way, because none of those ends. */
  private long beyondWindow;

  private long ended;
  private long unfinished;
  private boolean shutdown;
  private volatile boolean stopped;
  private volatile int slots = 1;
  private long slotsAskedNanos;

  public PoolExecutor(JobSession session, ExecutorOptions options, Shipping shipping) {
    this.session = session;
    this.group = session.nextGroup();
    this.options = options;
    this.waiting = new CallQueue(options);
    this.shipping = shipping;
    this.code = new CallCode(shipping);
    this.jobs = new CallJobs(session, options, shipping);
    this.chunkSize = new ChunkSize(options.chunk());
    this.sender = Thread.ofPlatform().daemon().name("imker-submit").unstarted(this::send);
    sender.start();
  }

  // ------------------------------------------------------------------ calls come in

  @Override
  public void enqueue(RemoteFuture<?> future) {
    code.requireTravels(future.call());
    lock.lock();
    try {
      requireOpen();
      waiting.add(future);
      unfinished++;
      if (waiting.size() == 1 || waiting.size() == PLENTY) {
        changed.signalAll();
      }
    } catch (ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    } finally {
      lock.unlock();
    }
  }

  private void requireOpen() {
    if (isShutdown()) {
      throw new RejectedExecutionException("The executor is shut down.");
    }
  }

  @Override
  public <T> Shared<T> share(T value) {
    try {
      byte[] content = Values.encode(value, "The shared value");
      shipping.require(value.getClass());
      return new Shared<>(shipping.share(content).sha256());
    } catch (ImkerException | ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
  }

  @Override
  public Blackboard blackboard() {
    return new ProjectBoard(session.rest(), options.project());
  }

  @Override
  public Coordination coordination() {
    return session.coordination(scope);
  }

  // ------------------------------------------------------------------ batches go out

  private void send() {
    try {
      for (CallBatch batch = next(); batch != null; batch = next()) {
        try {
          submit(batch);
        } catch (
            RuntimeException e) { // those who wait hear of it, and the next batch may do better
          batch.fail(e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for the next batch; null when there will be none. */
  private @Nullable CallBatch next() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        if (stopped) {
          return null;
        }
        long room = (long) chunkSize.window(slots) + beyondWindow - underWay;
        if (!waiting.isEmpty() && room > 0) {
          gather();
          CallBatch batch = take((int) Math.min(room, MAX_CALLS));
          if (batch != null) {
            return batch;
          }
        } else if (shutdown && unfinished == 0) {
          return null;
        } else if (waiting.isEmpty()) {
          changed.await();
        } else {
          awaitRoom();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Those under way may wait for others that are not: when none ends, more are sent. */
  private void awaitRoom() throws InterruptedException {
    long before = ended;
    long nanos = STALL_NANOS;
    while (nanos > 0 && ended == before && !stopped) {
      nanos = changed.awaitNanos(nanos);
    }
    beyondWindow = ended == before ? beyondWindow + underWay : 0;
  }

  /** While there is plenty under way, a moment more makes a larger batch. */
  private void gather() throws InterruptedException {
    long nanos = TimeUnit.MILLISECONDS.toNanos(GATHER_MILLIS);
    while (nanos > 0 && underWay > PLENTY && !waiting.isEmpty() && waiting.size() < PLENTY) {
      nanos = changed.awaitNanos(nanos);
    }
  }

  /** The next calls as a batch, without those that were cancelled meanwhile. */
  private @Nullable CallBatch take(int most) {
    List<CallQueue.Entry> taken = waiting.take(most);
    int before = taken.size();
    taken.removeIf(entry -> entry.future().isDone());
    unfinished -= before - taken.size();
    if (taken.isEmpty()) {
      changed.signalAll();
      return null;
    }
    CallBatch batch = new CallBatch(session, this, taken);
    underWay += batch.size();
    sent.add(batch);
    return batch;
  }

  private void submit(CallBatch batch) throws InterruptedException {
    int tasks = batch.divide(batch.isApart() ? 1 : chunkSize.choose(batch.size(), slots()));
    ExecutorOptions how = batch.options();
    JavaJob job = jobs.job(how, scope);
    ObjectNode payload = job.payload();
    ObjectNode table = payload.putObject("calls");
    if (options.chunk() == 0 && batch.chunk() > 1) {
      table.put("patienceMillis", PATIENCE_MILLIS);
    }
    payload.put("attemptsBefore", batch.attempts());
    byte[] spec =
        jobs.calls(job, payload, how, tasks, batch.chunk(), batch.templates(), batch.entries());
    batch.submitted(session.submitIn(group, spec, job.blobs(), batch));
  }

  /** A task for each: calls that share one may need this program to be told apart. */
  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> JobHandle<List<B>> mapDurably(
      String key, Collection<A> elements, RemoteFunction<A, B> function) {
    if (elements.isEmpty()) {
      return new LocalJob<>(key, CompletableFuture.completedFuture(List.of()), List.of());
    }
    try {
      code.requireTravels(function);
      CallTable.Builder calls = new CallTable.Builder();
      elements.forEach(element -> calls.add(function, element));
      JavaJob job = jobs.job(options, CallJobs.named("key/" + key));
      byte[] spec =
          jobs.calls(
              job, job.payload(), options, calls.size(), 1, calls.templates(), calls.entries());
      return PoolJob.follow(
          session,
          key,
          session.submitDurably(spec, job.blobs(), key),
          new CallResults<>(session, RemoteFuture.loader(function)));
    } catch (NotShippableException | ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted while submitting a job", e);
    }
  }

  @Override
  protected <T> Mailbox.Turns<T> turns(String name, RemoteCallable<T> factory) {
    code.requireTravels(factory);
    return new PoolActor<>(this, session, name, options.project(), factory);
  }

  @Override
  protected int maxCallsOfTurn() {
    return options.maxRuntime().isZero() ? MAX_TURN : 1;
  }

  /** Refuses a call of an actor that could not be made. */
  void requireTurn(Object call) {
    requireOpen();
    code.requireTravels(call);
  }

  /** A turn of an actor as a job of its own; returns its number. */
  long submitTurn(String actor, Object turn, String key, Followed followed)
      throws InterruptedException {
    if (stopped) {
      throw shutDown();
    }
    CallTable.Builder calls = new CallTable.Builder();
    calls.add(turn);
    ExecutorOptions how = options.withName(PoolActor.jobName(actor)).withRetries(0);
    JavaJob job = jobs.job(how, CallJobs.named("actor/" + actor));
    byte[] spec = jobs.calls(job, job.payload(), how, 1, 1, calls.templates(), calls.entries());
    return session.submit(spec, job.blobs(), key, followed);
  }

  private int slots() {
    long nowNanos = System.nanoTime();
    if (slotsAskedNanos == 0 || nowNanos - slotsAskedNanos > SLOTS_VALID_NANOS) {
      slotsAskedNanos = nowNanos;
      try {
        JsonNode pool = session.rest().within(Duration.ZERO).get("/api/v1/pool");
        slots = Math.max(1, pool.path("slots").asInt(1));
      } catch (RestClient.AwayException | InterruptedException e) {
        slotsAskedNanos = 0; // then the next one asks
      }
    }
    return slots;
  }

  // ------------------------------------------------------------------ calls are over

  @Override
  public void ran(int calls, long nanos) {
    chunkSize.ran(calls, nanos);
  }

  @Override
  public void waited() {
    chunkSize.waited();
  }

  @Override
  public void over(int calls, List<CallQueue.Entry> again) {
    List<CallQueue.Entry> never = new ArrayList<>();
    lock.lock();
    try {
      underWay -= calls + again.size();
      unfinished -= calls;
      ended += calls + again.size();
      if (stopped) {
        unfinished -= again.size();
        never.addAll(again);
      } else {
        waiting.addAgain(again.stream().filter(call -> !isPaused(call)).toList());
        again.stream().filter(PoolExecutor::isPaused).forEach(this::addLater);
      }
      sent.removeIf(CallBatch::isOver);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    never.forEach(call -> call.future().completeExceptionally(shutDown()));
  }

  private static boolean isPaused(CallQueue.Entry call) {
    return call.attempts() > 0 && !call.options().backoff().isZero();
  }

  private void addLater(CallQueue.Entry call) {
    paused.add(call);
    long millis = call.options().pauseAfter(call.attempts()).toMillis();
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Thread::startVirtualThread)
        .execute(() -> addAgain(call));
  }

  private void addAgain(CallQueue.Entry call) {
    lock.lock();
    try {
      if (paused.remove(call)) {
        waiting.addAgain(List.of(call));
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void shutdown() {
    lock.lock();
    try {
      shutdown = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Cancels all calls, also those that are being made. */
  @Override
  public List<Runnable> shutdownNow() {
    List<RemoteFuture<?>> never;
    List<CallBatch> under;
    lock.lock();
    try {
      shutdown = true;
      stopped = true;
      never = waiting.drop();
      paused.forEach(call -> never.add(call.future()));
      paused.clear();
      unfinished -= never.size();
      under = new ArrayList<>(sent);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    CancellationException why = shutDown();
    never.forEach(future -> future.completeExceptionally(why));
    for (CallBatch batch : under) {
      batch.cancel();
      batch.fail(why);
    }
    return new ArrayList<>(never);
  }

  private static CancellationException shutDown() {
    return new CancellationException("The executor was shut down.");
  }

  @Override
  public boolean isShutdown() {
    lock.lock();
    try {
      return shutdown;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isTerminated() {
    lock.lock();
    try {
      return shutdown && unfinished == 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    long nanos = unit.toNanos(timeout);
    lock.lock();
    try {
      while (!shutdown || unfinished > 0) {
        if (nanos <= 0) {
          return false;
        }
        nanos = changed.awaitNanos(nanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
