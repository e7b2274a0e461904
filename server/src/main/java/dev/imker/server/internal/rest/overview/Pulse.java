package dev.imker.server.internal.rest.overview;

import dev.imker.core.Scheduler;
import dev.imker.core.SchedulerView;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.AmountView;
import dev.imker.core.message.ProjectView;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.rest.changes.Changes;
import dev.imker.server.internal.rest.changes.EndTally;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the pool every two seconds and remembers the last half hour, and in less detail the last
 * day and month, for whoever watches. Day and month are kept in the store.
 */
public final class Pulse implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pulse.class);
  static final Duration EVERY = Duration.ofSeconds(2);
  private static final int KEPT = 900;
  private static final int BEATS_OF_SPAN = 48;
  private static final int MAX_PROJECTS = 200;

  /**
   * The pool at one moment; {@code done} and {@code failed} attempts since the server started.
   *
   * @param queued tasks that could start, also those that agents hold in advance
   * @param slots of agents that are connected
   * @param used share of each amount that is taken, by name
   */
  public record Beat(
      long atMillis,
      long queued,
      long waiting,
      long running,
      long done,
      long failed,
      int slots,
      int agents,
      SortedMap<String, Double> used) {}

  /** Work of a project that is there now. */
  public record Use(String user, String project, int ready, int running) {}

  private final SchedulerLoop loop;
  private final EndTally tally;
  private final PoolStore store;
  private final Clock clock;
  private final Duration every;
  private final Thread thread = Thread.ofVirtual().name("imker-pulse").unstarted(this::run);
  private final Deque<Beat> beats = new ArrayDeque<>();
  private final PulseHistory history = new PulseHistory(EVERY.multipliedBy(BEATS_OF_SPAN));
  private List<Use> uses = List.of();
  private long count;
  private long recalledEpoch = -1;

  /** Of the leader that this server is. */
  long epoch() {
    return loop.epoch();
  }

  public Pulse(SchedulerLoop loop, Changes changes, PoolStore store, Clock clock) {
    this(loop, changes.tally(), store, clock, EVERY);
  }

  Pulse(SchedulerLoop loop, EndTally tally, PoolStore store, Clock clock, Duration every) {
    this.loop = loop;
    this.tally = tally;
    this.store = store;
    this.clock = clock;
    this.every = every;
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          recall();
          Optional<PulseSpan> span = Await.answer(loop.ask(this::look));
          if (span.isPresent() && loop.isLeading()) {
            Await.answer(loop.record(history.add(span.get())));
          }
        } catch (RuntimeException e) { // also what a standby could not read without the database
          LOG.debug("Could not sample the pool: {}", e.getMessage());
        }
        Thread.sleep(every);
      }
    } catch (InterruptedException e) {
      LOG.debug("The pool is no longer sampled");
    }
  }

  /** What was seen before this server led. */
  private void recall() {
    long epoch = loop.epoch();
    if (epoch == recalledEpoch || !loop.isLeading()) {
      return;
    }
    history.recall(store, clock.millis());
    recalledEpoch = epoch; // only now: what could not be read is read the next time
  }

  private Optional<PulseSpan> look(PoolState pool) {
    Scheduler scheduler = pool.scheduler();
    int[] totals = scheduler.view().totals();
    List<AgentView> connected =
        scheduler.view().agents().stream().filter(AgentView::connected).toList();
    EndTally.Ends ends = tally.ends();
    PoolStore.Ended elsewhere =
        loop.followed().map(PoolStore.Followed::ended).orElse(PoolStore.Ended.NONE);
    Beat beat =
        new Beat(
            clock.millis(),
            totals[TaskState.READY.ordinal()],
            totals[TaskState.WAITING.ordinal()],
            totals[TaskState.RUNNING.ordinal()],
            ends.done() + elsewhere.done(),
            ends.failed() + elsewhere.failed(),
            connected.stream().mapToInt(AgentView::slots).sum(),
            connected.size(),
            used(scheduler.view(), connected));
    return add(beat, uses(scheduler.view().projects()));
  }

  private static SortedMap<String, Double> used(SchedulerView view, List<AgentView> connected) {
    Set<NodeId> nodes = connected.stream().map(AgentView::node).collect(Collectors.toSet());
    Map<String, long[]> sums = new HashMap<>();
    view.amounts()
        .forEach(
            (node, amounts) -> {
              if (nodes.contains(node)) {
                add(amounts, sums);
              }
            });
    add(view.poolAmounts(), sums);
    SortedMap<String, Double> used = new TreeMap<>();
    sums.forEach(
        (name, sum) -> {
          if (sum[1] > 0) {
            used.put(name, rounded((double) sum[0] / sum[1]));
          }
        });
    return used;
  }

  private static void add(Map<String, AmountView> amounts, Map<String, long[]> sums) {
    amounts.forEach(
        (name, amount) -> {
          long[] sum = sums.computeIfAbsent(name, _ -> new long[2]);
          sum[0] += amount.taken();
          sum[1] += amount.has();
        });
  }

  private static double rounded(double share) {
    return Math.round(share * 1000) / 1000.0;
  }

  private static List<Use> uses(List<ProjectView> projects) {
    return projects.stream()
        .filter(project -> project.ready() + project.working() > 0)
        .sorted(Comparator.comparingInt(ProjectView::working).reversed())
        .limit(MAX_PROJECTS)
        .map(p -> new Use(p.project().user(), p.project().name(), p.ready(), p.working()))
        .toList();
  }

  /** Returns the span that the beat completes. */
  private synchronized Optional<PulseSpan> add(Beat beat, List<Use> now) {
    if (beats.size() == KEPT) {
      beats.removeFirst();
    }
    beats.addLast(beat);
    uses = now;
    count++;
    notifyAll();
    if (count % BEATS_OF_SPAN != 0) {
      return Optional.empty();
    }
    return Optional.of(
        PulseSpan.ofBeats(beats.stream().skip(Math.max(0, beats.size() - BEATS_OF_SPAN)).toList()));
  }

  /** All that is remembered, oldest first. */
  synchronized List<Beat> beats() {
    return new ArrayList<>(beats);
  }

  /** The last hours, oldest first. */
  List<PulseSpan> last(int hours) {
    return history.last(hours, clock.millis());
  }

  synchronized List<Use> uses() {
    return uses;
  }

  synchronized long count() {
    return count;
  }

  /** Waits until there is another beat than that one, or so long. */
  synchronized boolean await(long known, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (count == known) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }

  synchronized List<Beat> since(long known) {
    long fresh = Math.min(beats.size(), count - known);
    return beats.stream().skip(beats.size() - fresh).toList();
  }
}
