package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.Arrays;

/**
 * Expected run times by project and node. Nodes of nearly the same benchmark form a speed class;
 * where a class has run a project its own average counts, elsewhere the project's average scaled by
 * the learnt speed of the class. A project that nobody has finished is expected to take half as
 * long again as its longest attempt so far.
 */
final class RunTimes {
  private static final double CLASSES_PER_E = 8;
  private static final int CLASSES = 128;
  private static final double FRESH = 0.25;
  private static final double REFERENCE_BENCHMARK = 4000;
  private static final double LEAST_GUESS = 10;
  private static final double GUESS = 1.5;
  private static final int STEADY = 20;

  private double[][] byClass = {};
  private double[] common = {};
  private double[] longestTried = {};
  private final double[] slowness = new double[CLASSES];
  private final int[] samples = new int[CLASSES];

  /** Whether any run of the project has succeeded. */
  boolean isKnown(ProjectProfile project) {
    return project.index() < common.length && common[project.index()] > 0;
  }

  double expectedMinutes(NodeProfile node, ProjectProfile project) {
    if (!isKnown(project)) {
      return referenceMinutes(project) * slowness(node);
    }
    double own = byClass[project.index()][speedClass(node)];
    return own > 0 ? own : common[project.index()] * slowness(node);
  }

  /** Expected minutes on a node of slowness 1. */
  double referenceMinutes(ProjectProfile project) {
    int k = project.index();
    if (isKnown(project)) {
      return common[k];
    }
    return Math.max(LEAST_GUESS, k < longestTried.length ? GUESS * longestTried[k] : 0);
  }

  /** How many times longer than on a node of benchmark 4000 tasks take; by benchmark at first. */
  double slowness(NodeProfile node) {
    int speed = speedClass(node);
    double benchmark = node.benchmarkMillis();
    double guess = benchmark > 0 ? benchmark / REFERENCE_BENCHMARK : 1;
    int count = samples[speed];
    return count == 0 ? guess : (guess + count * slowness[speed]) / (1 + count);
  }

  /** Learns what is recorded of a project from before, on nodes of that mean benchmark. */
  void recall(ProjectProfile project, double meanBenchmarkMillis) {
    if (project.isRunTimeKnown()) {
      reserve(project.index());
      double mean = meanBenchmarkMillis > 0 ? meanBenchmarkMillis / REFERENCE_BENCHMARK : 1;
      common[project.index()] = project.runMinutes() / mean;
    }
  }

  /** An attempt has lasted that long, or longer. */
  void onTried(NodeProfile node, ProjectProfile project, double minutes) {
    reserve(project.index());
    int k = project.index();
    longestTried[k] = Math.max(longestTried[k], minutes / slowness(node));
  }

  void onSucceeded(NodeProfile node, ProjectProfile project, double minutes) {
    reserve(project.index());
    int k = project.index();
    int speed = speedClass(node);
    if (common[k] > 0 && minutes > 0) {
      int count = Math.min(samples[speed], STEADY);
      slowness[speed] = (count * slowness[speed] + minutes / common[k]) / (count + 1);
      samples[speed]++;
    }
    byClass[k][speed] = mixed(byClass[k][speed], minutes);
    common[k] = mixed(common[k], minutes / slowness(node));
  }

  private static double mixed(double before, double newest) {
    double least = Math.max(newest, 1e-6);
    return before > 0 ? before + FRESH * (least - before) : least;
  }

  static int speedClass(NodeProfile node) {
    double log = Math.log(Math.max(1, node.benchmarkMillis()));
    return (int) Math.min(CLASSES - 1, Math.round(log * CLASSES_PER_E));
  }

  private void reserve(int project) {
    int from = common.length;
    if (project < from) {
      return;
    }
    common = Arrays.copyOf(common, project + 8);
    longestTried = Arrays.copyOf(longestTried, project + 8);
    byClass = Arrays.copyOf(byClass, project + 8);
    for (int k = from; k < byClass.length; k++) {
      byClass[k] = new double[CLASSES];
    }
  }
}
