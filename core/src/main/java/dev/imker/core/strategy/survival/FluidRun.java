package dev.imker.core.strategy.survival;

import java.util.Arrays;

/**
 * The rest of the pool's work as a flow. Nodes of a group go from one stage of their up-time to a
 * later one; at each stage they divide themselves among the projects that have work left, in
 * proportion to a high power of value per minute; after an outage they start anew. That gives tasks
 * per minute of each project, and these the time until all is done. Values of a task are good if
 * this flow has little open work for a short time.
 */
final class FluidRun {
  static final int STAGES = 44;
  private static final double START = 20;
  private static final double STEP = 0.1;
  private static final double[] FACTORS = {3, 1 / 3.0, 1.4, 1 / 1.4, 1.12, 1 / 1.12};
  private static final int ROUNDS = 3;
  private static final double TOLERATED = 1.1;
  private static final double SOFTNESS = 0.12;
  private static final double MIN_RATE = 1e-9;
  private static final double MIN_MASS = 1e-4;
  private static final double[] UPTIME_MINUTES = uptimeMinutes();

  /** Part of a task's time by which the end of a project comes after that of its flow. */
  private static final double DRAIN = 0.5;

  private final double endWeight;
  private int projects;
  private int groups;
  private double[] groupSize = {};

  // Per group, and in it per stage and project: what one step is worth per minute of a task's
  // value, its chance to end without outage, minutes spent, tasks done, stage after it.
  private double[][] worth = {};
  private double[][] finished = {};
  private double[][] chance = {};
  private double[][] spent = {};
  private double[][] tasks = {};
  private double[][] after = {};

  private double[] open = {};
  private double[] total = {};
  private double[] last = {};
  private double[] fit = {};
  private double[] left = {};
  private double[] flow = {};
  private double[] share = {};
  private double[] pull = {};
  private double[] made = {};
  private final double[] mass = new double[STAGES + 1];

  /** {@code endWeight}: 0 looks only at the mean share of open work, 1 only at the end time. */
  FluidRun(double endWeight) {
    this.endWeight = endWeight;
  }

  static double uptimeMinutes(int stage) {
    return UPTIME_MINUTES[stage];
  }

  private static double[] uptimeMinutes() {
    double[] minutes = new double[STAGES + 1];
    for (int s = 0; s <= STAGES; s++) {
      minutes[s] = START * Math.expm1(s * STEP);
    }
    return minutes;
  }

  private static double stage(double uptimeMinutes) {
    return Math.min(Math.log(1 + uptimeMinutes / START) / STEP, STAGES);
  }

  void begin(int groupCount, int projectCount) {
    groups = groupCount;
    projects = projectCount;
    if (groupSize.length < groups || open.length < projects) {
      reserve(Math.max(groups, groupSize.length), Math.max(projects, open.length));
    }
  }

  private void reserve(int mostGroups, int mostProjects) {
    groupSize = new double[mostGroups];
    worth = new double[mostGroups][STAGES * mostProjects];
    finished = new double[mostGroups][STAGES * mostProjects];
    chance = new double[mostGroups][STAGES * mostProjects];
    spent = new double[mostGroups][STAGES * mostProjects];
    tasks = new double[mostGroups][STAGES * mostProjects];
    after = new double[mostGroups][STAGES * mostProjects];
    open = new double[mostProjects];
    total = new double[mostProjects];
    last = new double[mostProjects];
    fit = new double[mostProjects];
    left = new double[mostProjects];
    flow = new double[mostProjects];
    share = new double[mostProjects];
    pull = new double[mostProjects];
    made = new double[mostProjects];
  }

  /** {@code lastMinutes}: how long a single task keeps a good node, with the attempts that fail. */
  void project(int project, double openTasks, double allTasks, double lastMinutes) {
    open[project] = openTasks;
    total[project] = allTasks;
    last[project] = lastMinutes;
    fit[project] = 1;
  }

  /** Only that share of the nodes meets the requirements of the project. */
  void fit(int project, double share) {
    fit[project] = share;
  }

  void group(int group, double size) {
    groupSize[group] = size;
  }

  /** Describes what nodes of the group make of a project of those lengths. */
  void describe(int group, int project, Belief belief, double minutes, Lengths lengths) {
    for (int s = 0; s < STAGES; s++) {
      int cell = s * projects + project;
      double uptime = uptimeMinutes(s);
      double width = uptimeMinutes(s + 1) - uptime;
      double success = 0;
      double busy = 1;
      for (int i = 0; i < lengths.points(); i++) {
        double length = minutes * lengths.ratio(i);
        success += lengths.share(i) * belief.survival(uptime, length);
        busy += lengths.share(i) * belief.expectedMinutes(uptime, length);
      }
      worth[group][cell] = success / busy;
      finished[group][cell] = success;
      if (busy < width) {
        double lived = belief.expectedMinutes(uptime, width);
        chance[group][cell] = belief.survival(uptime, width);
        spent[group][cell] = lived;
        tasks[group][cell] = lived * success / busy;
        after[group][cell] = s + 1;
      } else {
        chance[group][cell] = success;
        spent[group][cell] = busy;
        tasks[group][cell] = success;
        after[group][cell] = stage(uptime + minutes * lengths.mean());
      }
    }
  }

  /** Chance to finish a task that is begun at a stage, as described. */
  double finished(int group, int project, int stage) {
    return finished[group][stage * projects + project];
  }

  /** Tasks per minute at a stage, as described. */
  double pace(int group, int project, int stage) {
    return worth[group][stage * projects + project];
  }

  /** Makes nodes of the group want the project less at a stage. */
  void discourage(int group, int project, int stage, double factor) {
    worth[group][stage * projects + project] *= factor;
  }

  /** Improves the values in place, one at a time, for a number of rounds. */
  void improve(double[] values, int rounds) {
    double best = cost(values);
    for (int round = 0; round < rounds; round++) {
      double before = best;
      for (int k = 0; k < projects; k++) {
        best = improve(values, k, best);
      }
      if (best == before) {
        return;
      }
    }
  }

  private double improve(double[] values, int project, double best) {
    double least = best;
    for (double factor : FACTORS) {
      double before = values[project];
      values[project] = before * factor;
      double cost = cost(values);
      if (cost < least * (1 - 1e-6)) {
        least = cost;
      } else {
        values[project] = before;
      }
    }
    return least;
  }

  private double cost(double[] values) {
    System.arraycopy(open, 0, left, 0, projects);
    double time = 0;
    double end = 0;
    double area = 0;
    for (int phase = 0; phase < projects; phase++) {
      int next = flow(values);
      if (next < 0) {
        break;
      }
      double step = left[next] / flow[next];
      for (int k = 0; k < projects; k++) {
        double rest = k == next ? 0 : Math.max(0, left[k] - step * flow[k]);
        area += step * (left[k] + rest) / 2 / total[k] / projects;
        left[k] = rest;
      }
      time += step;
      end = Math.max(end, time + DRAIN * last[next]);
    }
    return (1 - endWeight) * area + endWeight * end;
  }

  /**
   * Sets the flows of projects with work left; returns the one done first, −1 without any. A task
   * keeps one node for its time, so a project with few tasks cannot use many nodes: it becomes less
   * attractive until the others have what it cannot use.
   */
  private int flow(double[] values) {
    System.arraycopy(values, 0, pull, 0, projects);
    for (int round = 0; round < ROUNDS; round++) {
      Arrays.fill(flow, 0, projects, MIN_RATE);
      for (int g = 0; g < groups; g++) {
        addFlow(g, pull);
      }
      if (!isTooMuch()) {
        break;
      }
    }
    int first = -1;
    for (int k = 0; k < projects; k++) {
      flow[k] = Math.min(flow[k], Math.max(MIN_RATE, open[k] / last[k]));
      if (left[k] > 0 && (first < 0 || left[k] * flow[first] < left[first] * flow[k])) {
        first = k;
      }
    }
    return first;
  }

  /** Whether some project gets more than it can use; makes those less attractive. */
  private boolean isTooMuch() {
    boolean tooMuch = false;
    boolean others = false;
    for (int k = 0; k < projects; k++) {
      double most = open[k] / last[k];
      if (left[k] > 0 && flow[k] > TOLERATED * most) {
        pull[k] *= Math.pow(most / flow[k], SOFTNESS);
        tooMuch = true;
      } else if (left[k] > 0) {
        others = true;
      }
    }
    return tooMuch && others;
  }

  private void addFlow(int group, double[] values) {
    Arrays.fill(mass, 0);
    Arrays.fill(made, 0, projects, 0);
    mass[0] = 1;
    double time = 0;
    for (int s = 0; s < STAGES; s++) {
      if (mass[s] > MIN_MASS && divide(worth[group], s * projects, values)) {
        time += advance(group, s);
      }
    }
    if (time > 0) {
      for (int k = 0; k < projects; k++) {
        flow[k] += groupSize[group] * made[k] / time;
      }
    }
  }

  /** Sets the shares of the projects at a stage; false if there is nothing to do. */
  private boolean divide(double[] worths, int base, double[] values) {
    double best = 0;
    for (int k = 0; k < projects; k++) {
      share[k] = left[k] > 0 ? values[k] * worths[base + k] : 0;
      best = Math.max(best, share[k]);
    }
    if (best <= 0) {
      return false;
    }
    double sum = 0;
    for (int k = 0; k < projects; k++) {
      share[k] = tenthPower(share[k] / best);
      sum += share[k];
    }
    for (int k = 0; k < projects; k++) {
      share[k] /= sum;
    }
    passOn();
    return true;
  }

  /** Nodes that a project does not fit work for the others instead, or not at all. */
  private void passOn() {
    double free = 0;
    double others = 0;
    for (int k = 0; k < projects; k++) {
      free += share[k] * (1 - fit[k]);
      others += share[k] > 0 && fit[k] == 1 ? share[k] : 0;
    }
    if (free == 0) {
      return;
    }
    double even = 0;
    for (int k = 0; others < MIN_MASS && k < projects; k++) {
      even += left[k] > 0 && fit[k] == 1 ? 1 : 0;
    }
    for (int k = 0; k < projects; k++) {
      if (fit[k] < 1) {
        share[k] *= fit[k];
      } else if (others >= MIN_MASS) {
        share[k] *= 1 + free / others;
      } else if (left[k] > 0) {
        share[k] += free / even;
      }
    }
  }

  /** Moves the nodes of a stage on by one step; returns the time they spend. */
  private double advance(int group, int s) {
    double time = 0;
    for (int k = 0; k < projects; k++) {
      int cell = s * projects + k;
      double part = mass[s] * share[k];
      if (part < MIN_MASS * MIN_MASS) {
        continue;
      }
      made[k] += part * tasks[group][cell];
      time += part * spent[group][cell];
      double to = after[group][cell];
      int low = (int) to;
      if (low < STAGES) {
        double living = part * chance[group][cell];
        mass[Math.max(low, s + 1)] += living * (1 - (to - low));
        mass[low + 1] += living * (to - low);
      }
    }
    return time;
  }

  private static double tenthPower(double x) {
    double x2 = x * x;
    double x4 = x2 * x2;
    return x4 * x4 * x2;
  }
}
