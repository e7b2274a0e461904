package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.policy.CurrentOffer;
import dev.imker.agent.internal.process.CorePinning;
import dev.imker.agent.internal.process.CorePinning.Place;
import dev.imker.agent.internal.process.ProcessExecutor;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.system.StartFailedException;
import dev.imker.model.job.Requirements;
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
 * is left to be decided. Slots are for plain tasks, which need one core and nothing else; what
 * others need the server has set aside for them.
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
  private final CurrentOffer offer;
  private final CorePinning pinning;
  private final Listener listener;
  private final ExecutorService starters;
  private final AtomicInteger running = new AtomicInteger();

  /** Slots that are free for plain tasks; below 0 if more are taken than there are. */
  private final AtomicInteger free;

  private final ConcurrentLinkedQueue<Launch> waiting = new ConcurrentLinkedQueue<>();
  private long grantedHundredths; // cores of tasks that are not plain; guarded by this
  private volatile int slots; // for plain tasks; written only under the lock

  Launchpad(ProcessExecutor processes, CurrentOffer offer, CorePinning pinning, Listener listener) {
    this.processes = processes;
    this.offer = offer;
    this.pinning = pinning;
    this.listener = listener;
    this.slots = offer.slots();
    this.free = new AtomicInteger(slots);
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors());
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
    return running.get();
  }

  /** Starts a command: a plain one as soon as a slot is free, others at once. */
  void add(TaskRun run, ProcessSpec spec) {
    Launch launch = new Launch(run, spec);
    if (run.held.isPlain()) {
      waiting.add(launch);
      fill();
    } else {
      occupyAnyway(run);
      begin(launch);
    }
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

  /** Makes room for something that is not started here; false when all slots are taken. */
  boolean occupy(TaskRun run) {
    if (run.held.isPlain()) {
      return occupySlot();
    }
    occupyAnyway(run);
    return true;
  }

  private boolean occupySlot() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        running.incrementAndGet();
        return true;
      }
      now = free.get();
    }
    return false;
  }

  /** Takes room whether or not there is some: for a while more is taken than there is. */
  void occupyAnyway(TaskRun run) {
    running.incrementAndGet();
    if (run.held.isPlain()) {
      free.decrementAndGet();
    } else {
      grant(run.held.granted().of("cores"));
    }
  }

  /** Leaves room to those that wait. */
  void vacate(TaskRun run) {
    release(run);
    fill();
  }

  private void release(TaskRun run) {
    running.decrementAndGet();
    if (run.held.isPlain()) {
      free.incrementAndGet();
    } else {
      grant(-run.held.granted().of("cores"));
    }
  }

  private synchronized void grant(long hundredths) {
    grantedHundredths += hundredths;
    resize();
  }

  /** Plain tasks share the cores that are offered now and not granted to others. */
  synchronized void resize() {
    int granted = (int) Math.ceilDiv(grantedHundredths, Requirements.HUNDREDTHS);
    int now = Math.clamp(offer.cores() - granted, 0, offer.slots());
    if (now != slots) {
      free.addAndGet(now - slots);
      slots = now;
    }
  }

  void close() {
    starters.shutdown();
  }

  private void fill() {
    while (!waiting.isEmpty() && occupySlot()) {
      Launch next = waiting.poll();
      if (next == null) {
        running.decrementAndGet();
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
      LOG.debug("Task {} arrived too late to be started", launch.run.held.lease().task());
    } catch (Error e) { // such as no more threads: the slot is free for the next attempt
      release(launch.run);
      listener.notLaunched(launch.run, e);
    }
  }

  private void launch(Launch launch) {
    TaskRun run = launch.run;
    run.startedMillis = System.currentTimeMillis();
    run.startedNanos = System.nanoTime();
    Place place = pinning.take(run.held.granted().of("cores"), processes.currentCore());
    ProcessSpec spec = launch.spec.on(pinning.cores(place));
    try {
      listener.launched(run, processes.start(spec, exit -> ended(run, place, exit)));
    } catch (StartFailedException e) {
      pinning.giveBack(place);
      vacate(run);
      listener.notLaunched(run, e);
    } catch (RuntimeException | Error e) {
      LOG.error("Task {} could not be started", run.held.lease().task(), e);
      pinning.giveBack(place);
      vacate(run);
      listener.notLaunched(run, e);
    }
  }

  private void ended(TaskRun run, Place place, ProcessExit exit) {
    pinning.giveBack(place);
    vacate(run);
    listener.exited(run, exit);
  }
}
