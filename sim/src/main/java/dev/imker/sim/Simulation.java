package dev.imker.sim;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.sim.config.Arrival;
import dev.imker.sim.config.Machines;
import dev.imker.sim.config.SimConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One run, minute by minute. In every minute the machines act in the order of the configuration: a
 * free one asks for work, which takes the minute; one with work works, completes its task or may
 * fail. A task of nominal duration d takes d times the machine's slowdown.
 */
final class Simulation {
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
  private int nextArrival;
  private int tasksDone;

  private Simulation(
      SimConfig config,
      Strategy strategy,
      boolean speculative,
      long seed,
      int untilMinute,
      boolean recording) {
    this.config = config;
    this.untilMinute = untilMinute;
    SplittableRandom root = new SplittableRandom(seed);
    pool = new SimPool(config, strategy, speculative, root.nextLong(), this::stopped);
    measures = new Measures(config.nodes());
    runTimeRandom = root.split();
    for (Machines machines : config.machines()) {
      for (int i = 0; i < machines.count(); i++) {
        nodes.add(new SimNode(machines, root.split()));
      }
    }
    arrivals =
        config.arrivals().stream().sorted(Comparator.comparingInt(Arrival::afterMinute)).toList();
    finishedMinute = new int[config.projects().size()];
    timeline = recording ? new Timeline(finishedMinute.length) : null;
  }

  /** Runs until all is done, at most until the given minute, but at least the configured ones. */
  public static SimRun run(
      SimConfig config,
      Strategy strategy,
      boolean speculative,
      long seed,
      int untilMinute,
      boolean recording) {
    return new Simulation(config, strategy, speculative, seed, untilMinute, recording).run();
  }

  private SimRun run() {
    pool.startMinute(0);
    for (int node = 0; node < nodes.size(); node++) {
      pool.start(node);
    }
    int makespan = SimRun.UNFINISHED;
    int last = Math.max(untilMinute, config.minutes());
    for (int minute = 1; minute <= last; minute++) {
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
        measures.workedMinutes(),
        measures.lostMinutes(),
        timeline);
  }

  private void step(int minute) {
    pool.startMinute(minute);
    submitDue(minute - 1);
    for (int node = 0; node < nodes.size(); node++) {
      act(node, minute);
    }
    PoolProfile profiles = pool.scheduler().profiles();
    noteFinished(profiles, minute);
    if (minute <= config.minutes()) {
      measures.onMinute(meanDone(profiles));
    }
    if (timeline != null) {
      timeline.record(profiles, measures);
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
      JobId job = pool.submit(arrival.project(), arrival.count());
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
        lose(node);
        pool.leave(index);
        return;
      }
      case RETURNS -> pool.start(index);
      case HERE -> {}
    }
    if (node.isBusy()) {
      work(index, node, minute);
    } else {
      if (config.agesIdle() && node.ageAndFail(minute)) {
        pool.start(index);
      }
      request(index, node);
    }
  }

  private void request(int index, SimNode node) {
    TaskId task = pool.request(index);
    if (task != null) {
      node.begin(taskMinutes.get((int) task.job().value() - 1)[task.index()]);
    }
  }

  private void work(int index, SimNode node, int minute) {
    measures.onWorked();
    if (node.workIsComplete()) {
      int minutes = node.end();
      node.age();
      measures.onEnded(minutes, true);
      tasksDone++;
      pool.succeeded(index, minutes);
    } else if (node.ageAndFail(minute)) {
      lose(node);
      pool.start(index);
    }
  }

  private void lose(SimNode node) {
    if (node.isBusy()) {
      measures.onEnded(node.end(), false);
    }
  }

  private void stopped(int node) {
    lose(nodes.get(node));
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
