package dev.imker.server.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.LoopShell;
import dev.imker.server.loop.PendingAnswer;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.JobFilter;
import dev.imker.store.Journal;
import dev.imker.store.PoolStore;
import dev.imker.store.TaskRecord;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A server's loop on a real store and three agents, all in one thread. Whenever the loop ends for
 * good, or the store is found to be without power, the server begins again on what the store has;
 * agents come back with what they hold, and say again what was not confirmed. Clients ask again
 * until they are answered.
 */
final class SteppedPool implements AutoCloseable {
  /** The store under the pool. */
  interface Place {
    PoolStore open();

    /** Whether the server has to die, since its machine did. */
    boolean isDead();

    /** The machine is there again. */
    void revive();

    /** Nothing happens any more. */
    void calm();
  }

  private static final int MAX_ROUNDS = 600;
  private static final int MAX_STEPS = 60;
  private static final int MAX_BOOTS = 40;

  private static final class SetClock extends Clock {
    long millis = 1_800_000_000_000L;

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }
  }

  /**
   * Between two steps is read what commands need: on a thread of its own it might come too late.
   */
  private final class OneThread implements LoopShell {
    @Override
    public long nanoTime() {
      return clock.millis * 1_000_000;
    }

    @Override
    public Executor readers() {
      return readings::add;
    }

    @Override
    public int inboxCapacity() {
      return 1 << 10;
    }

    @Override
    public Waiting waiting() {
      return (come, nanos) -> {};
    }
  }

  private static final class Deaf implements PoolListener {
    @Override
    public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

    @Override
    public void nodesChanged() {}
  }

  private final Place place;
  private final SetClock clock = new SetClock();
  private final SteppedAgents agents = new SteppedAgents(this::isDone, () -> clock.millis);
  private final Queue<Runnable> readings = new ArrayDeque<>();
  private final Map<JobId, String> acknowledged = new LinkedHashMap<>();
  private @Nullable PoolStore store;
  private @Nullable SchedulerLoop loop;
  private int boots;
  private int steps;
  private int crashAfter;
  private @Nullable Crash crash;

  SteppedPool(Place place) {
    this.place = place;
    boot();
  }

  /** What goes down. */
  enum Crash {
    SERVER,
    AGENTS,
    BOTH
  }

  /** Has something go down after so many steps. */
  void crashAfter(int step, Crash what) {
    crashAfter = step;
    crash = what;
  }

  int steps() {
    return steps;
  }

  SteppedAgents agents() {
    return agents;
  }

  PoolStore store() {
    return Objects.requireNonNull(store);
  }

  long nowMillis() {
    return clock.millis;
  }

  private SchedulerLoop loop() {
    return Objects.requireNonNull(loop);
  }

  JobCommands jobs() {
    return new JobCommands(loop());
  }

  // ---------------------------------------------------------------- the server

  private void boot() {
    while (true) {
      assertThat(++boots).as("starts of the server").isLessThan(MAX_BOOTS);
      agents.hangUpAll("the server starts");
      readings.clear();
      try {
        store = place.open();
        loop =
            new SchedulerLoop(
                store,
                SchedulerSettings.defaults(),
                agents,
                new Deaf(),
                new LoopMeter(new SimpleMeterRegistry()),
                clock,
                true,
                new OneThread());
        return;
      } catch (ImkerException e) {
        halt();
      }
    }
  }

  private void halt() {
    try {
      if (store != null) {
        store.close();
      }
    } catch (ImkerException e) {
      assertThat(e).hasMessageNotContaining("internal");
    }
    if (place.isDead()) {
      place.revive();
    }
  }

  /** Ends the server as {@code kill -9} does, and starts it again. */
  void restart() {
    halt();
    boot();
  }

  private void step() {
    clock.millis += 5;
    loop().step();
    for (Runnable next = readings.poll(); next != null; next = readings.poll()) {
      next.run();
    }
    boolean crashes = ++steps == crashAfter;
    if (crashes && crash != Crash.SERVER) {
      agents.crash();
    }
    if (loop().failed().isDone() || place.isDead() || (crashes && crash != Crash.AGENTS)) {
      restart();
    }
  }

  /** Steps until an answer is there, or the server that was asked is not there any more. */
  private <T> boolean isAnswered(CompletableFuture<T> answer) {
    SchedulerLoop asked = loop();
    for (int i = 0; i < MAX_STEPS && !answer.isDone() && loop() == asked; i++) {
      step();
    }
    return answer.isDone() && !answer.isCompletedExceptionally() && loop() == asked;
  }

  private boolean isDone(PendingAnswer.Work<?> work) {
    return isAnswered(loop().change(work));
  }

  /** Every agent says what it has to say. */
  void round() {
    agents.round();
    step();
  }

  /** Asks until it is answered. */
  <T> T ask(Supplier<CompletableFuture<T>> question) {
    Throwable last = null;
    for (int i = 0; i < MAX_ROUNDS; i++) {
      CompletableFuture<T> answer = asked(question);
      if (isAnswered(answer)) {
        return answer.join();
      }
      if (answer.isCompletedExceptionally()) {
        last = requireExcuse(answer);
      }
      round();
    }
    throw new AssertionError("no answer", last);
  }

  private static <T> CompletableFuture<T> asked(Supplier<CompletableFuture<T>> question) {
    try {
      return question.get();
    } catch (ImkerException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Reads what is on disk, from whichever server can do so. */
  <T> T read(Function<PoolStore, T> question) {
    return ask(() -> CompletableFuture.completedFuture(question.apply(store())));
  }

  /** Whatever a client is told that is no answer, it is that it may try again. */
  private static Throwable requireExcuse(CompletableFuture<?> answer) {
    Throwable cause = answer.exceptionNow();
    assertThat(cause).isInstanceOf(ImkerException.class);
    return cause;
  }

  <T> T change(PendingAnswer.Work<T> work) {
    return ask(() -> loop().change(work));
  }

  <T> T look(Function<PoolState, T> question) {
    return ask(() -> loop().ask(question));
  }

  /** Submits under a key, as the ways in do: whoever is not answered asks what became of it. */
  JobId submit(JobSpec spec, String key) {
    JobId id =
        ask(
            () ->
                store()
                    .reads()
                    .byRequestKey(key)
                    .map(job -> CompletableFuture.completedFuture(job.id()))
                    .orElseGet(
                        () -> jobs().submit("admin", spec, key).thenApply(one -> one.job())));
    acknowledged.put(id, spec.name());
    return id;
  }

  void forget(JobId job) {
    acknowledged.remove(job);
    agents.forgetResults(job);
  }

  // ---------------------------------------------------------------- the end

  boolean isSettled(JobId job) {
    return read(disk -> disk.reads().job(job).filter(found -> found.isSettled()).isPresent());
  }

  void finish(JobId... jobs) {
    for (int i = 0; i < MAX_ROUNDS; i++) {
      boolean all = true;
      for (JobId job : jobs) {
        all &= isSettled(job);
      }
      if (all && agents.isIdle()) {
        return;
      }
      round();
    }
    throw new AssertionError(
        "jobs do not end: %s; agents have %s; %s"
            .formatted(
                List.of(jobs),
                agents,
                List.of(jobs).stream().map(job -> store().reads().job(job)).toList()));
  }

  TaskRecord task(JobId job, int index) {
    return read(disk -> disk.reads().task(new TaskId(job, index)).orElseThrow());
  }

  /** What was told is on disk, and nothing is there twice: seen by the next server. */
  void checkPromises() {
    place.calm();
    restart();
    look(
        pool -> {
          pool.scheduler().checkInvariants();
          return true;
        });
    acknowledged.forEach(
        (id, name) -> {
          assertThat(store().reads().job(id)).as("job %s", id).isPresent();
          assertThat(store().reads().jobs(JobFilter.ALL, null, 100))
              .as("jobs of the name %s", name)
              .filteredOn(job -> job.name().equals(name))
              .hasSize(1);
        });
    agents
        .told()
        .forEach(
            (task, lease) -> {
              TaskRecord record = store().reads().task(task).orElseThrow();
              assertThat(record.state()).as("state of %s", task).isEqualTo(TaskState.DONE);
              assertThat(Objects.requireNonNull(record.last()).token().value())
                  .as("result of %s", task)
                  .isEqualTo(lease.token().value());
            });
  }

  /** What every attempt took is in the accounts once, and so is what agents know to be accepted. */
  void checkAccounts() {
    long attempts = 0;
    for (JobId job : acknowledged.keySet()) {
      for (int i = 0; i < store().reads().job(job).orElseThrow().taskCount(); i++) {
        attempts +=
            store().reads().attempts(new TaskId(job, i)).stream()
                .mapToLong(attempt -> attempt.report() == null ? 0 : attempt.report().cpuMillis())
                .sum();
      }
    }
    long cpu =
        store().journal().usage(null, Set.of(Journal.Grouping.USER), 0).stream()
            .mapToLong(Journal.Usage::cpuMillis)
            .sum();
    assertThat(cpu)
        .as("accounts")
        .isEqualTo(attempts)
        .isGreaterThanOrEqualTo(SteppedAgents.CPU_MILLIS * agents.counted());
  }

  @Override
  public void close() {
    halt();
  }
}
