package dev.imker.client.internal.pool;

import dev.imker.client.executor.RemoteFailureException;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Calls that become one job; their futures, until all are completed. */
final class CallBatch implements Followed {
  /** Hears what a batch comes to. */
  interface Listener {
    /** So many calls took so long together. */
    void ran(int calls, long nanos);

    /** So many calls are over. */
    void over(int calls);
  }

  private final List<RemoteFuture<?>> calls;
  private final byte[] templates;
  private final byte[] entries;
  private final BitSet settled = new BitSet();
  private final Listener listener;
  private final JobSession session;
  private volatile int chunk = 1;
  private int left;
  private final CountDownLatch accepted = new CountDownLatch(1);
  private volatile long job;
  private volatile boolean wholeCancelled;

  /**
   * @param taken at least one
   */
  CallBatch(JobSession session, Listener listener, List<CallQueue.Entry> taken) {
    this.session = session;
    this.listener = listener;
    this.templates = taken.getFirst().templates().table();
    this.entries = ByteTable.of(taken.stream().map(CallQueue.Entry::code).toList());
    this.calls = new ArrayList<>(taken.size());
    for (CallQueue.Entry entry : taken) {
      entry.future().joined(this, calls.size());
      calls.add(entry.future());
    }
    this.left = calls.size();
  }

  int size() {
    return calls.size();
  }

  byte[] templates() {
    return templates;
  }

  byte[] entries() {
    return entries;
  }

  /** Fixes how many calls make a task; returns the number of tasks. */
  synchronized int divide(int callsPerTask) {
    chunk = callsPerTask;
    left = (calls.size() + chunk - 1) / chunk;
    return left;
  }

  int chunk() {
    return chunk;
  }

  void submitted(long id) {
    job = id; // first: whoever cancels a call after the look below sees it
    accepted.countDown();
    if (wholeCancelled) {
      cancelJob(Map.of());
      return;
    }
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).isCancelled()) {
        cancelOne(i);
      }
    }
  }

  // ------------------------------------------------------------------ outcomes

  @Override
  public void ended(Outcome outcome) {
    for (int number = outcome.number(); number <= outcome.last(); number++) {
      if (claim(number)) {
        byte[] stdout = outcome.stdout();
        if (outcome.stdoutBlob()) {
          fetch(number, outcome);
        } else {
          complete(number, stdout, outcome);
        }
      }
    }
  }

  private synchronized boolean claim(int number) {
    if (number < 1 || settled.get(number)) {
      return false;
    }
    settled.set(number);
    return true;
  }

  private void fetch(int number, Outcome outcome) {
    try {
      byte[] bytes = session.rest().bytes("/api/v1/tasks/" + job() + "." + number + "/stdout");
      complete(number, bytes, outcome);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failTask(number, new ImkerException("The connection to the pool was closed.", e));
    } catch (ImkerException e) {
      failTask(number, e);
    }
  }

  /** The number may be known only a moment after the first outcomes. */
  private long job() throws InterruptedException {
    accepted.await();
    return job;
  }

  private void complete(int number, byte @Nullable [] stdout, Outcome outcome) {
    int from = (number - 1) * chunk;
    int to = Math.min(calls.size(), from + chunk);
    if (stdout == null || stdout.length < Long.BYTES) {
      String why = outcome.error().isEmpty() ? outcome.state() : outcome.error();
      failTask(number, new RemoteFailureException(why, "", ""));
      return;
    }
    long nanos = ByteBuffer.wrap(stdout).getLong();
    try {
      ByteTable outcomes = ByteTable.read(Arrays.copyOfRange(stdout, Long.BYTES, stdout.length));
      for (int i = from; i < to; i++) {
        complete(calls.get(i), outcomes.get(i - from));
      }
      listener.ran(to - from, nanos);
      over(to - from);
    } catch (ValueException e) {
      failTask(number, e);
    }
  }

  private static void complete(RemoteFuture<?> future, byte[] outcome) {
    if (future.isDone()) {
      return;
    }
    try {
      Object value =
          Values.decode(Arrays.copyOfRange(outcome, 1, outcome.length), loader(future.call()));
      if (outcome[0] == 0) {
        future.completeWith(value);
      } else if (value instanceof Failure failure) {
        future.completeExceptionally(
            new RemoteFailureException(failure.toString(), failure.type(), failure.trace()));
      }
    } catch (ValueException | LinkageError e) {
      future.completeExceptionally(e);
    }
  }

  private static ClassLoader loader(Object call) {
    Object code =
        call instanceof RemoteFuture.Application(Object function, var _) ? function : call;
    ClassLoader loader = code.getClass().getClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  private void failTask(int number, RuntimeException cause) {
    int from = (number - 1) * chunk;
    int to = Math.min(calls.size(), from + chunk);
    for (int i = from; i < to; i++) {
      calls.get(i).completeExceptionally(cause);
    }
    over(to - from);
  }

  private void over(int count) {
    synchronized (this) {
      left--;
    }
    listener.over(count);
  }

  /** Every task has told its own end; the server knows of no other. */
  @Override
  public void settled(boolean allTold) {
    if (allTold) {
      fail(
          new ImkerException("The server does not know what became of a call of job " + job + "."));
    }
  }

  @Override
  public synchronized boolean isOver() {
    return left <= 0;
  }

  @Override
  public void fail(RuntimeException cause) {
    int tasks = (calls.size() + chunk - 1) / chunk;
    for (int number = 1; number <= tasks; number++) {
      if (claim(number)) {
        failTask(number, cause);
      }
    }
  }

  // ------------------------------------------------------------------ cancelling

  /** A call that shares its task with others runs to its end; nobody waits for it. */
  void cancelled(int position) {
    if (job != 0) {
      cancelOne(position);
    }
  }

  private void cancelOne(int position) {
    if (chunk == 1) {
      int number = position + 1;
      cancelJob(Map.of("from", number, "to", number));
    }
  }

  void cancelAll() {
    wholeCancelled = true;
    if (job != 0) {
      cancelJob(Map.of());
    }
  }

  private void cancelJob(Map<String, Integer> range) {
    session.cancel(job, range);
  }
}
