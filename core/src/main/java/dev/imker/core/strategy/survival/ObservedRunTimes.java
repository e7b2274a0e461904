package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.StrategyMemory;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Run times by project and node. Nodes of nearly the same benchmark form a speed class; where a
 * class has run a project its own average counts, elsewhere the project's average scaled by the
 * learnt speed of the class. {@link Lengths} tells how tasks scatter around it. A project that
 * nobody has finished is expected to take half as long again as its longest attempt so far.
 */
final class ObservedRunTimes {
  private static final double CLASSES_PER_E = 8;
  private static final int CLASSES = 128;
  private static final double MIN_FRESH = 0.05;
  private static final double MAX_FRESH = 0.25;
  private static final double REFERENCE_BENCHMARK = 4000;
  private static final double MIN_GUESS = 10;
  private static final double GUESS = 1.5;
  private static final int STEADY = 20;
  private static final double MAX_DRIFT = 0.02;

  private double[][] byClass = {};
  private double[] common = {};
  private double[] longestTried = {};
  private int[] runs = {};
  private Lengths[] lengths = {};
  private final Lengths unknown = new Lengths();
  private final double[] slowness = new double[CLASSES];
  private final double[] guesses = new double[CLASSES];
  private final int[] samples = new int[CLASSES];
  private @Nullable NodeProfile lastNode;
  private double lastBenchmark;
  private int lastClass;

  /** Whether any run of the project has succeeded. */
  boolean isKnown(ProjectProfile project) {
    return project.index() < common.length && common[project.index()] > 0;
  }

  /** Mean minutes of a task of the project on the node. */
  double expectedMinutes(NodeProfile node, ProjectProfile project) {
    return typicalMinutes(node, project) * lengths(project).mean();
  }

  /** How the lengths scatter, as multiples of {@link #typicalMinutes}. */
  Lengths lengths(ProjectProfile project) {
    return project.index() < lengths.length ? lengths[project.index()] : unknown;
  }

  /** The unit of {@link #lengths}. */
  double typicalMinutes(NodeProfile node, ProjectProfile project) {
    if (!isKnown(project)) {
      return referenceMinutes(project) * slowness(node);
    }
    double own = byClass[project.index()][classOf(node)];
    return own > 0 ? own : common[project.index()] * slowness(node);
  }

  /** Expected minutes on a node of slowness 1. */
  double referenceMinutes(ProjectProfile project) {
    int k = project.index();
    if (isKnown(project)) {
      return common[k];
    }
    return Math.max(MIN_GUESS, k < longestTried.length ? GUESS * longestTried[k] : 0);
  }

  /** How many times longer than on a node of benchmark 4000 tasks take; by benchmark at first. */
  double slowness(NodeProfile node) {
    int speed = classOf(node);
    int count = samples[speed];
    return count == 0 ? guess(node) : (guess(node) + count * slowness[speed]) / (1 + count);
  }

  private static double guess(NodeProfile node) {
    double benchmark = node.benchmarkMillis();
    return benchmark > 0 ? benchmark / REFERENCE_BENCHMARK : 1;
  }

  /**
   * Only ratios between classes can be learnt: what all have in common against their benchmarks is
   * taken out again, or slowness and run times would drift away from each other.
   */
  private void anchor() {
    double drift = 0;
    double weight = 0;
    for (int c = 0; c < CLASSES; c++) {
      if (samples[c] > 0 && slowness[c] > 0) {
        int count = Math.min(samples[c], STEADY);
        drift += count * Math.log(slowness[c] / guesses[c]);
        weight += count;
      }
    }
    double common = weight > 0 ? drift / weight : 0;
    if (Math.abs(common) > MAX_DRIFT) {
      scale(Math.exp(common));
    }
  }

  private void scale(double factor) {
    for (int c = 0; c < CLASSES; c++) {
      slowness[c] /= factor;
    }
    for (int k = 0; k < common.length; k++) {
      common[k] *= factor;
      longestTried[k] *= factor;
    }
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

  /** An attempt was cut off after that time. */
  void onCutOff(NodeProfile node, ProjectProfile project, double minutes) {
    onTried(node, project, minutes);
    if (isKnown(project)) {
      lengths(project).addLonger(minutes / typicalMinutes(node, project));
    }
  }

  void onSucceeded(NodeProfile node, ProjectProfile project, double minutes) {
    reserve(project.index());
    int k = project.index();
    int speed = speedClass(node);
    if (common[k] > 0 && minutes > 0) {
      lengths[k].add(minutes / typicalMinutes(node, project));
      int count = Math.min(samples[speed], STEADY);
      slowness[speed] = (count * slowness[speed] + minutes / common[k]) / (count + 1);
      guesses[speed] = guess(node);
      samples[speed]++;
      anchor();
    }
    runs[k]++;
    double fresh = Math.clamp(1.0 / runs[k], MIN_FRESH, MAX_FRESH);
    byClass[k][speed] = mixed(byClass[k][speed], minutes, fresh);
    common[k] = mixed(common[k], minutes / slowness(node), fresh);
  }

  void rememberProject(ProjectProfile project, Map<String, double[]> memory) {
    reserve(project.index());
    int k = project.index();
    memory.put("runTime", new double[] {common[k], longestTried[k], runs[k]});
    memory.put("byClass", byClass[k].clone());
    memory.put("lengths", lengths[k].memory());
  }

  void recallProject(ProjectProfile project, StrategyMemory memory) {
    reserve(project.index());
    int k = project.index();
    double[] runTime = memory.values("runTime");
    if (runTime.length == 3) {
      common[k] = runTime[0];
      longestTried[k] = runTime[1];
      runs[k] = (int) runTime[2];
    }
    Memories.into(memory.values("byClass"), byClass[k]);
    lengths[k].recall(memory.values("lengths"));
  }

  void rememberPool(Map<String, double[]> memory) {
    memory.put("slowness", slowness.clone());
    memory.put("guesses", guesses.clone());
    memory.put("samples", Memories.of(samples));
  }

  void recallPool(StrategyMemory memory) {
    Memories.into(memory.values("slowness"), slowness);
    Memories.into(memory.values("guesses"), guesses);
    Memories.into(memory.values("samples"), samples);
  }

  private static double mixed(double before, double newest, double fresh) {
    double least = Math.max(newest, 1e-6);
    return before > 0 ? before + fresh * (least - before) : least;
  }

  /** A decision asks for the same node many times. */
  private int classOf(NodeProfile node) {
    if (node != lastNode || node.benchmarkMillis() != lastBenchmark) {
      lastNode = node;
      lastBenchmark = node.benchmarkMillis();
      lastClass = speedClass(node);
    }
    return lastClass;
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
    runs = Arrays.copyOf(runs, project + 8);
    byClass = Arrays.copyOf(byClass, project + 8);
    lengths = Arrays.copyOf(lengths, project + 8);
    for (int k = from; k < byClass.length; k++) {
      byClass[k] = new double[CLASSES];
      lengths[k] = new Lengths();
    }
  }
}
