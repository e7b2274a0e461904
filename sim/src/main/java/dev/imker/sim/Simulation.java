package dev.imker.sim;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.ProjectId;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run, minute by minute. In every minute the machines act in the order of the configuration: a
 * free one asks for work, which takes the minute; a busy one works, completes its task or may fail.
 * A task of nominal duration d takes d times the machine's slowdown.
 *
 * <p>If machines have amounts, all of them get as much work as fits at the end of the minute, as in
 * production: asking takes no time.
 */
final class Simulation implements SimPool.Orders {
  private static final int MINUTES_BETWEEN_LOOKS = 64;

  private final SimConfig config;
  private final int untilMinute;
  private final SimPool pool;
  private final Measures measures;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<double[]> taskMinutes = new ArrayList<>();
  private final List<Arrival> arrivals;
  private final SplittableRandom runTimeRandom;
  private final @Nullable Timeline timeline;
  private final int[] finishedMinute;
  private final @Nullable UsedAmounts used;
  private final Map<ProjectId, Integer> projects = new HashMap<>();
  private final long[] waitedMinutes;
  private final int[] begun;
  private int now;
  private int nextArrival;
  private int tasksDone;

  Simulation(
      SimConfig config,
      Strategy strategy,
      boolean speculative,
      long seed,
      int untilMinute,
      boolean recording) {
    this.config = config;
    this.untilMinute = untilMinute;
    SplittableRandom root = new SplittableRandom(seed);
    pool = new SimPool(config, strategy, speculative, root.nextLong(), this);
    measures = new Measures(config.nodes());
    runTimeRandom = root.split();
    for (Machines machines : config.machines()) {
      for (int i = 0; i < machines.count(); i++) {
        nodes.add(new SimNode(machines, root.split()));
      }
    }
    arrivals =
        config.arrivals().stream().sorted(Comparator.comparingInt(Arrival::afterMinute)).toList();
    config.projects().forEach(project -> projects.put(project, projects.size()));
    finishedMinute = new int[projects.size()];
    waitedMinutes = new long[projects.size()];
    begun = new int[projects.size()];
    used = config.hasAmounts() ? new UsedAmounts(config) : null;
    timeline = recording ? new Timeline(projects.size()) : null;
  }

  /**
   * Runs until everything is done, at most until the given minute, but at least for the configured
   * minutes.
   *
   * @param look called from time to time; an exception from it ends the run
   */
  SimRun run(Runnable look) {
    pool.startMinute(0);
    for (int node = 0; node < nodes.size(); node++) {
      pool.start(node);
      offer(node, 1);
    }
    int makespan = SimRun.UNFINISHED;
    int last = Math.max(untilMinute, config.minutes());
    for (int minute = 1; minute <= last; minute++) {
      if (minute % MINUTES_BETWEEN_LOOKS == 0) {
        look.run();
      }
      step(minute);
      if (makespan == SimRun.UNFINISHED && tasksDone == config.tasks()) {
        makespan = minute;
      }
      if (makespan != SimRun.UNFINISHED && minute >= config.minutes()) {
        break;
      }
    }
    return new SimRun(
        100 * measures.meanEfficiency(),
        100 * measures.meanWindowEfficiency(),
        100 * measures.meanDone(),
        makespan,
        finishedMinute.clone(),
        waited(),
        measures.workedMinutes(),
        measures.lostMinutes(),
        used == null ? Collections.emptySortedMap() : used.means(),
        timeline);
  }

  private double[] waited() {
    double[] means = new double[begun.length];
    for (int k = 0; k < means.length; k++) {
      means[k] = begun[k] == 0 ? 0 : (double) waitedMinutes[k] / begun[k];
    }
    return means;
  }

  private void step(int minute) {
    now = minute;
    pool.startMinute(minute);
    submitDue(minute - 1);
    for (int node = 0; node < nodes.size(); node++) {
      act(node, minute);
    }
    PoolProfile profiles = pool.scheduler().profiles();
    if (used != null) {
      pool.dispatch();
      used.onMinute(minute <= config.minutes(), isWaiting(profiles));
    }
    noteFinished(profiles, minute);
    if (minute <= config.minutes()) {
      measures.onMinute(meanDone(profiles));
    }
    if (timeline != null) {
      timeline.record(profiles, measures, used);
    }
  }

  private void submitDue(int afterMinute) {
    while (nextArrival < arrivals.size()
        && arrivals.get(nextArrival).afterMinute() <= afterMinute) {
      Arrival arrival = arrivals.get(nextArrival++);
      double[] minutes = new double[arrival.count()];
      for (int i = 0; i < minutes.length; i++) {
        minutes[i] = arrival.runTimes().draw(runTimeRandom);
      }
      JobId job = pool.submit(arrival);
      if (job.value() != taskMinutes.size() + 1) {
        throw new IllegalStateException("jobs are not numbered in order: " + job);
      }
      taskMinutes.add(minutes);
    }
  }

  private void act(int index, int minute) {
    SimNode node = nodes.get(index);
    switch (node.presence(minute)) {
      case AWAY -> {
        return;
      }
      case LEAVES -> {
        loseAll(node);
        pool.leave(index);
        offer(index, -1);
        return;
      }
      case RETURNS -> {
        pool.start(index);
        offer(index, 1);
      }
      case HERE -> {}
    }
    boolean worked = node.isBusy();
    for (SimNode.Work work : node.work()) {
      work(index, node, work);
    }
    if (node.isBusy() || (!worked && config.agesIdle())) {
      if (node.ageAndFail(minute)) {
        loseAll(node);
        pool.start(index);
      }
    } else if (worked) {
      node.age();
    }
    if (!worked && used == null) {
      pool.request(index);
    }
  }

  private void offer(int node, int sign) {
    if (used != null) {
      used.offer(nodes.get(node).machines().platform(), sign);
    }
  }

  @Override
  public void begin(int node, Lease lease, int attempt, Granted granted) {
    int job = (int) lease.task().job().value() - 1;
    nodes.get(node).begin(lease, granted, taskMinutes.get(job)[lease.task().index()]);
    if (used != null) {
      used.take(granted, 1);
    }
    if (attempt == 1) {
      Arrival arrival = arrivals.get(job);
      int project = Objects.requireNonNull(projects.get(arrival.project()));
      waitedMinutes[project] += now - 1 - arrival.afterMinute();
      begun[project]++;
    }
  }

  private void work(int index, SimNode node, SimNode.Work work) {
    if (node.find(work.lease) == null) {
      return; // another copy of it was faster, right here
    }
    measures.onWorked(work.cores());
    if (work.isComplete()) {
      end(node, work, true);
      tasksDone++;
      pool.succeeded(index, work.lease, work.workedMinutes());
    }
  }

  private void loseAll(SimNode node) {
    for (SimNode.Work work : node.work()) {
      end(node, work, false);
    }
  }

  private void end(SimNode node, SimNode.Work work, boolean useful) {
    node.end(work);
    measures.onEnded(work.workedMinutes(), work.cores(), useful);
    if (used != null) {
      used.take(work.granted, -1);
    }
  }

  @Override
  public boolean stop(int node, Lease lease) {
    SimNode.Work work = nodes.get(node).find(lease);
    if (work != null) {
      end(nodes.get(node), work, false);
    }
    return work != null;
  }

  private static boolean isWaiting(PoolProfile profiles) {
    for (int k = 0; k < profiles.projects(); k++) {
      if (profiles.project(k).ready() > 0) {
        return true;
      }
    }
    return false;
  }

  private void noteFinished(PoolProfile profiles, int minute) {
    for (int k = 0; k < profiles.projects(); k++) {
      boolean done = profiles.project(k).open() == 0;
      if (!done) {
        finishedMinute[k] = SimRun.UNFINISHED;
      } else if (finishedMinute[k] <= 0) {
        finishedMinute[k] = minute;
      }
    }
  }

  private static double meanDone(PoolProfile profiles) {
    double sum = 0;
    for (int k = 0; k < profiles.projects(); k++) {
      sum += profiles.project(k).doneShare();
    }
    return profiles.projects() == 0 ? 0 : sum / profiles.projects();
  }
}
