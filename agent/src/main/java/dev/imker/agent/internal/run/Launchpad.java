package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.system.StartFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots of an agent, and the commands that are ready to take them. Whoever sees a process end
 * has the next one started at once, without asking the runner: between two short programs nothing
 * is left to be decided.
 *
 * <p>Safe for use by several threads.
 */
final class Launchpad {
  private static final Logger LOG = LoggerFactory.getLogger(Launchpad.class);

  /** Is told, on any thread; {@code exited} may come before {@code launched} of the same run. */
  interface Listener {
    void launched(TaskRun run, TaskProcess process);

    void notLaunched(TaskRun run, Throwable failure);

    void exited(TaskRun run, ProcessExit exit);
  }

  private record Launch(TaskRun run, ProcessSpec spec) {}

  /** How many more than there are slots wait, so that the runner need not be woken for each. */
  private static final int STOCK = 8;

  private final ProcessExecutor processes;
  private final int slots;
  private final Listener listener;
  private final ExecutorService starters;
  private final AtomicInteger free;
  private final ConcurrentLinkedQueue<Launch> waiting = new ConcurrentLinkedQueue<>();

  Launchpad(ProcessExecutor processes, int slots, Listener listener) {
    this.processes = processes;
    this.slots = slots;
    this.listener = listener;
    this.free = new AtomicInteger(slots);
    int threads = Math.min(slots, Math.max(2, Runtime.getRuntime().availableProcessors()));
    this.starters =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("imker-start-", 1).factory());
  }

  /** Whether a slot is free and nobody waits for it. */
  boolean isIdle() {
    return free.get() > 0 && waiting.isEmpty();
  }

  /** Whether one more command should be made ready, so that one waits when a process ends. */
  boolean wantsMore() {
    return waiting.size() < slots + STOCK;
  }

  /** Whether enough wait for the runner to have its time. */
  boolean isStocked() {
    return waiting.size() > (slots + STOCK) / 2;
  }

  int occupied() {
    return slots - free.get();
  }

  /** Starts a command as soon as a slot is free. */
  void add(TaskRun run, ProcessSpec spec) {
    waiting.add(new Launch(run, spec));
    fill();
  }

  /** Takes back what waits for a slot; false when it is already being started. */
  boolean withdraw(TaskRun run) {
    return waiting.removeIf(launch -> launch.run == run);
  }

  /** Those that wait for a slot and are of this kind, in their order. */
  List<TaskRun> waiting(Predicate<TaskRun> kind) {
    List<TaskRun> found = new ArrayList<>();
    for (Launch launch : waiting) {
      if (kind.test(launch.run)) {
        found.add(launch.run);
      }
    }
    return found;
  }

  /** Takes a slot for something that is not started here; false when all are taken. */
  boolean occupy() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }

  /** Takes a slot again that was left for a while; if none is free there is one more for now. */
  void occupyAnyway() {
    free.decrementAndGet();
  }

  /** Gives a slot to the next one that waits, or leaves it free. */
  void vacate() {
    if (free.get() < 0) {
      free.incrementAndGet();
      fill();
      return;
    }
    Launch next = waiting.poll();
    if (next == null) {
      free.incrementAndGet();
      fill();
    } else {
      begin(next);
    }
  }

  void close() {
    starters.shutdown();
  }

  private void fill() {
    while (!waiting.isEmpty() && occupy()) {
      Launch next = waiting.poll();
      if (next == null) {
        free.incrementAndGet();
      } else {
        begin(next);
      }
    }
  }

  /** On a thread of its own, because the system blocks it until the program is loaded. */
  private void begin(Launch launch) {
    try {
      starters.execute(() -> launch(launch));
    } catch (RejectedExecutionException e) {
      LOG.debug("Task {} came too late to be started", launch.run.held.lease().task());
    } catch (Error e) { // such as no more threads: the slot is free for the next attempt
      free.incrementAndGet();
      listener.notLaunched(launch.run, e);
    }
  }

  private void launch(Launch launch) {
    TaskRun run = launch.run;
    run.startedMillis = System.currentTimeMillis();
    run.startedNanos = System.nanoTime();
    try {
      listener.launched(run, processes.start(launch.spec, exit -> ended(run, exit)));
    } catch (StartFailedException e) {
      vacate();
      listener.notLaunched(run, e);
    } catch (RuntimeException | Error e) {
      LOG.error("Task {} could not be started", run.held.lease().task(), e);
      vacate();
      listener.notLaunched(run, e);
    }
  }

  private void ended(TaskRun run, ProcessExit exit) {
    vacate();
    listener.exited(run, exit);
  }
}
