package dev.imker.agent.internal.host;

import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.Task;
import dev.imker.tasks.TaskValues;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallTable;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** One task on its thread. */
final class HostRun implements Runnable {
  static final byte VALUE = 0;
  static final byte FAILURE = 1;

  private final long number;
  private final Work work;
  private final ClassLoader library;
  private final HostRuns runs;
  private final TaskLog log = new TaskLog();
  private final HostContext context;
  private volatile @Nullable Thread thread;
  private volatile boolean cancelled;

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
      end = cancelled ? Ended.lost("Cancelled before it began.") : done();
    } catch (Throwable e) { // whatever a task throws, its host lives on
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
    long cpuNanos = CpuClock.ofThisThreadNanos() - cpuBefore;
    runs.ended(
        number, new Ended(end.succeeded(), end.value(), log.toByteArray(), end.error(), cpuNanos));
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

  /** The outcomes of all calls, after the time they took. */
  private Ended calls(Work.Body.Calls calls) {
    long begin = System.nanoTime();
    CallTable.Reader reader = new CallTable.Reader(calls.templates(), library);
    ByteTable entries = ByteTable.read(calls.entries());
    List<byte[]> outcomes = new ArrayList<>(entries.size());
    String error = "";
    for (int i = 0; i < entries.size(); i++) {
      context.call(i);
      try {
        outcomes.add(outcome(VALUE, Values.encode(value(reader, entries.get(i)), "The result")));
      } catch (Throwable e) { // the next call may do better
        Failure failure = Failure.of(e);
        outcomes.add(outcome(FAILURE, Values.encode(failure, "failure")));
        log.line(failure.trace());
        error = error.isEmpty() ? failure.toString() : error;
      }
    }
    byte[] table = ByteTable.of(outcomes);
    byte[] value =
        ByteBuffer.allocate(Long.BYTES + table.length)
            .putLong(System.nanoTime() - begin)
            .put(table)
            .array();
    return new Ended(error.isEmpty(), value, new byte[0], error, 0);
  }

  private @Nullable Object value(CallTable.Reader reader, byte[] entry) throws Exception {
    context.checkCancelled();
    Callable<@Nullable Object> call = reader.read(entry);
    return call.call();
  }

  static byte[] outcome(byte kind, byte[] content) {
    return ByteBuffer.allocate(1 + content.length).put(kind).put(content).array();
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
      throw new IllegalArgumentException(className + " has no constructor without arguments.", e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "The constructor of " + className + " failed: " + e.getCause(), e);
    }
  }
}
