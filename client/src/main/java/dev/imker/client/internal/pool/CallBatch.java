package dev.imker.client.internal.pool;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.RemoteFailureException;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
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

    /** Calls wait for others, so that none of them may share a task. */
    void waited();

    /** So many calls of the batch are over, besides those that have to be made again. */
    void over(int calls, List<CallQueue.Entry> again);
  }

  private final List<CallQueue.Entry> calls;
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
    this.calls = List.copyOf(taken);
    for (int i = 0; i < calls.size(); i++) {
      calls.get(i).future().joined(this, i);
    }
    this.left = calls.size();
  }

  int size() {
    return calls.size();
  }

  byte[] templates() {
    return calls.getFirst().templates().table();
  }

  byte[] entries() {
    return ByteTable.of(calls.stream().map(CallQueue.Entry::code).toList());
  }

  /** Whether each of its calls has a task of its own. */
  boolean isApart() {
    return calls.getFirst().apart();
  }

  /** How all its calls are treated. */
  ExecutorOptions options() {
    return calls.getFirst().options();
  }

  /** How often its calls were tried before. */
  int attempts() {
    return calls.getFirst().attempts();
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
      if (calls.get(i).future().isCancelled()) {
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
    List<CallQueue.Entry> own = ofTask(number);
    if (stdout == null || stdout.length < Long.BYTES) {
      if (own.size() > 1 && outcome.state().equals("FAILED")) { // which of them, shows one by one
        over(List.of(), own.stream().map(call -> call.again(true, 0)).toList());
        return;
      }
      String why = outcome.error().isEmpty() ? outcome.state() : outcome.error();
      failTask(
          number, new RemoteFailureException(Failure.of("", why), getClass().getClassLoader()));
      return;
    }
    long nanos = ByteBuffer.wrap(stdout).getLong();
    List<CallQueue.Entry> made = new ArrayList<>(own.size());
    List<CallQueue.Entry> again = new ArrayList<>();
    try {
      ByteTable outcomes = ByteTable.read(Arrays.copyOfRange(stdout, Long.BYTES, stdout.length));
      for (int i = 0; i < own.size(); i++) {
        CallQueue.Entry call = own.get(i);
        switch (CallOutcome.of(outcomes.get(i))) {
          case VALUE, FAILURE -> {
            complete(call.future(), outcomes.get(i));
            made.add(call);
          }
          case NOT_MADE -> again.add(call);
          case APART -> again.add(call.again(true, 0));
          case RETRY -> again.add(call.again(true, 1));
          case WAITS -> {
            again.add(call.again(true, 0));
            listener.waited();
          }
        }
      }
    } catch (RuntimeException e) {
      failTask(number, e);
      return;
    }
    if (!made.isEmpty()) {
      listener.ran(made.size(), nanos);
    }
    over(made, again);
  }

  private List<CallQueue.Entry> ofTask(int number) {
    int from = (number - 1) * chunk;
    return calls.subList(from, Math.min(calls.size(), from + chunk));
  }

  private static void complete(RemoteFuture<?> future, byte[] outcome) {
    if (future.isDone()) {
      return;
    }
    try {
      Object value =
          Values.decode(CallOutcome.content(outcome), RemoteFuture.loader(future.call()));
      if (CallOutcome.of(outcome) == CallOutcome.VALUE) {
        future.completeWith(value);
      } else if (value instanceof Failure failure) {
        ClassLoader classes = RemoteFuture.loader(future.call());
        future.completeExceptionally(
            failure.rebuilt(classes).orElseGet(() -> new RemoteFailureException(failure, classes)));
      } else {
        future.completeExceptionally(new ImkerException("A call did not complete."));
      }
    } catch (RuntimeException | LinkageError e) { // values run code of their classes
      future.completeExceptionally(e);
    }
  }

  private void failTask(int number, RuntimeException cause) {
    List<CallQueue.Entry> own = ofTask(number);
    own.forEach(call -> call.future().completeExceptionally(cause));
    over(own, List.of());
  }

  private void over(List<CallQueue.Entry> done, List<CallQueue.Entry> again) {
    synchronized (this) {
      left--;
    }
    listener.over(done.size(), again);
  }

  /** Every task has told its own end; the server knows of no other. */
  @Override
  public void settled(boolean allTold) {
    if (allTold) {
      fail(
          new ImkerException("The server does not know the outcome of a call of job " + job + "."));
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

  @Override
  public void cancel() {
    wholeCancelled = true;
    if (job != 0) {
      cancelJob(Map.of());
    }
  }

  private void cancelJob(Map<String, Integer> range) {
    session.cancel(job, range);
  }
}
