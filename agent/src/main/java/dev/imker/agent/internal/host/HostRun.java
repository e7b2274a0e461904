package dev.imker.agent.internal.host;

import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.Task;
import dev.imker.tasks.TaskValues;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A task on its thread. */
final class HostRun implements Runnable {
  /** How long a call may take to end after it was told to. */
  private static final long GRACE_MILLIS = 1_000;

  private final long number;
  private final Work work;
  private final ClassLoader library;
  private final HostRuns runs;
  private final TaskLog log = new TaskLog();
  private final HostContext context;
  private volatile @Nullable Thread thread;
  private volatile boolean cancelled;
  private volatile @Nullable CallProgress progress;
  private final CountDownLatch over = new CountDownLatch(1);

  HostRun(long number, Work work, ClassLoader library, HostRuns runs) {
    this.number = number;
    this.work = work;
    this.library = library;
    this.runs = runs;
    this.context = new HostContext(number, work, library, log, runs);
  }

  HostContext context() {
    return context;
  }

  /** Has the log told as it is written, or no longer. */
  void follow(boolean on) {
    log.follow(on ? (offset, text) -> runs.wrote(number, offset, text) : null);
  }

  /** Asks the task to end; it may take its time. */
  void cancel() {
    cancelled = true;
    context.cancel();
    synchronized (this) {
      Thread running = thread;
      if (running != null) {
        running.interrupt();
      }
    }
  }

  @Override
  public void run() {
    Thread self = Thread.currentThread();
    long cpuBefore = CpuClock.ofThisThreadNanos();
    ThreadCores.bind(work.cores());
    self.setContextClassLoader(library);
    CurrentTask.set(context);
    log.attach();
    thread = self;
    Ended end;
    try {
      end = cancelled ? Ended.lost("Cancelled before it started.") : done();
    } catch (Throwable e) { // the host survives any exception of a task
      end = failed(e, new byte[0]);
    } finally {
      synchronized (this) {
        thread = null;
        var _ = Thread.interrupted();
      }
      CurrentTask.clear();
      TaskLog.detach();
      context.close();
    }
    over.countDown();
    CallProgress made = progress;
    if (made == null || !made.isGivenUp()) {
      runs.ended(number, end.with(log.toByteArray(), CpuClock.ofThisThreadNanos() - cpuBefore));
    }
  }

  private Ended done() throws Exception {
    return switch (work.body()) {
      case Work.Body.Calls calls -> calls(calls);
      case Work.Body.Action action -> action(action);
    };
  }

  private Ended failed(Throwable cause, byte[] value) {
    Failure failure = Failure.of(cause);
    log.line(failure.trace());
    return new Ended(false, value, new byte[0], failure.toString(), 0);
  }

  // ------------------------------------------------------------------ calls

  /** The outcomes of all calls, preceded by the time they took. */
  private Ended calls(Work.Body.Calls calls) {
    CallTable.Reader reader = new CallTable.Reader(calls.templates(), library);
    ByteTable entries = ByteTable.read(calls.entries());
    CallProgress made = new CallProgress(entries.size(), calls.rules(), work.attempt());
    progress = made;
    for (int i = 0; made.begin(i); i++) {
      context.call(i, entries.size() > 1);
      made.end(i, outcome(reader, entries.get(i), made));
    }
    return made.ended();
  }

  private byte[] outcome(CallTable.Reader reader, byte[] entry, CallProgress made) {
    try {
      byte[] value = Values.encode(value(reader, entry), "The result");
      return context.hasToBeAlone() ? CallProgress.WAITS : CallOutcome.VALUE.with(value);
    } catch (Throwable e) { // the next call may do better
      if (context.hasToBeAlone()) {
        return CallProgress.WAITS;
      }
      Failure failure = Failure.of(e);
      log.line(failure.trace());
      return made.failed(failure, made.isRetried(e));
    }
  }

  private @Nullable Object value(CallTable.Reader reader, byte[] entry) throws Exception {
    var _ = Thread.interrupted(); // a call before this one may have left it set
    context.checkCancelled();
    Callable<@Nullable Object> call = reader.read(entry);
    return call.call();
  }

  /**
   * Called from time to time: ends the run if one of its calls takes too long.
   *
   * @param nanos since the last time, without those in which the host stood still
   */
  void watch(long nanos) {
    CallProgress made = progress;
    if (made != null && made.isTooLong(nanos)) {
      cancel();
      Thread.ofVirtual().name("giving-up").start(() -> giveUp(made));
    }
  }

  /** A thread that goes on regardless ends with its host, which gets no further work. */
  private void giveUp(CallProgress made) {
    try {
      if (!over.await(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
        runs.stuck(number);
      }
    } catch (InterruptedException e) {
      runs.stuck(number);
    }
    runs.ended(number, made.ended().with(log.toByteArray(), 0));
  }

  // ------------------------------------------------------------------ actions

  /** The values that the task left. */
  private Ended action(Work.Body.Action action) throws Exception {
    Map<String, Object> all = new LinkedHashMap<>(values(action.given()));
    ByteTable earlier = ByteTable.read(action.state());
    for (int i = 0; i < earlier.size(); i++) {
      all.putAll(values(earlier.get(i)));
    }
    TaskValues values = new TaskValues(all, action.arguments());
    Task task = task(action.className());
    task.begin(values, context);
    if (action.undo()) {
      task.undo();
    } else {
      task.attempt(work.previousError());
    }
    return new Ended(true, Values.encode(values.made(), "The values"), new byte[0], "", 0);
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> values(byte[] encoded) {
    if (encoded.length == 0) {
      return Map.of();
    }
    if (Values.decode(encoded, library) instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new ValueException("The values of the job are not a map.");
  }

  private Task task(String className) throws Exception {
    try {
      Constructor<?> constructor = Class.forName(className, true, library).getDeclaredConstructor();
      constructor.setAccessible(true);
      if (constructor.newInstance() instanceof Task task) {
        return task;
      }
      throw new IllegalArgumentException(
          className + " does not extend " + Task.class.getName() + ".");
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(className + " has no constructor without parameters.", e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "The constructor of " + className + " failed: " + e.getCause(), e);
    }
  }
}
