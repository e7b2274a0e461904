package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.CopyChoice;
import dev.imker.core.strategy.Outlook;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.TailCopies;
import java.util.Arrays;
import java.util.Locale;

/**
 * Hands out the work that is expected to be finished: the project with the largest value per
 * expected minute, value being what a done task is worth to the pool now ({@link ValuePlan}),
 * discounted by the chance that the node lives to finish it ({@link Prospects}). Nodes with a poor
 * chance are kept off work that others can do; projects that would starve, and those whose run time
 * is unknown, get some nodes in any case; projects of the same length are served alike. The model
 * is described in docs/survival.md.
 */
public final class Survival implements Strategy, ProfileListener, Outlook {
  private static final long NEVER = Long.MIN_VALUE;
  private static final long SHORTEST_PLAN_MILLIS = 20 * 60_000L;
  private static final long LONGEST_PLAN_MILLIS = 60 * 60_000L;
  private static final long PLANS = 30;

  private static final double FLOOR = 0.1;
  private static final double FLOOR_WORTH = 0.6;
  private static final double PROBING = 0.1;
  private static final double ALIKE = 0.85;

  private final Prospects prospects = new Prospects();
  private final RunTimes runTimes = new RunTimes();
  private final ValuePlan plan;
  private final TailCopies copies = new TailCopies(this);
  private long nextPlanMillis = NEVER;
  private long firstPlanMillis = NEVER;
  private int plannedProjects;

  // What each node works on, for the elapsed time of projects of unknown length.
  private int[] workingOn = {};
  private long[] startedMillis = {};

  /** {@code endWeight}: how much an early end of all work counts against early results. */
  public Survival(double endWeight) {
    plan = new ValuePlan(endWeight);
  }

  @Override
  public String name() {
    return "survival";
  }

  @Override
  public boolean speculates() {
    return true;
  }

  @Override
  public void attach(PoolProfile pool) {
    pool.addListener(this);
    for (int i = 0; i < pool.nodes(); i++) {
      prospects.recall(pool.node(i));
    }
    double meanBenchmark = pool.meanBenchmarkMillis();
    for (int k = 0; k < pool.projects(); k++) {
      runTimes.recall(pool.project(k), meanBenchmark);
    }
  }

  @Override
  public void detach(PoolProfile pool) {
    pool.removeListener(this);
  }

  @Override
  public void onNodeUp(long nowMillis, NodeProfile node) {
    prospects.onUp(nowMillis, node);
  }

  @Override
  public void onNodeDown(long nowMillis, NodeProfile node, double uptimeMinutes) {
    prospects.onDown(nowMillis, node, uptimeMinutes);
  }

  @Override
  public void onAssigned(long nowMillis, NodeProfile node, ProjectProfile project) {
    int i = node.index();
    if (workingOn.length <= i) {
      int from = workingOn.length;
      workingOn = Arrays.copyOf(workingOn, i + 64 + i / 2);
      startedMillis = Arrays.copyOf(startedMillis, workingOn.length);
      Arrays.fill(workingOn, from, workingOn.length, NONE);
    }
    workingOn[i] = project.index();
    startedMillis[i] = nowMillis;
  }

  @Override
  public void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
    if (!runTimes.isKnown(project)) {
      nextPlanMillis = NEVER;
    }
    runTimes.onSucceeded(node, project, minutes);
  }

  @Override
  public void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
    runTimes.onTried(node, project, minutes);
  }

  @Override
  public void onWithdrawn(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
  }

  private void free(NodeProfile node) {
    if (node.index() < workingOn.length) {
      workingOn[node.index()] = NONE;
    }
  }

  @Override
  public double minutes(NodeProfile node, ProjectProfile project) {
    return runTimes.expectedMinutes(node, project);
  }

  @Override
  public double survival(long nowMillis, NodeProfile node, double minutes) {
    prospects.reserve(node);
    return prospects.survival(nowMillis, node, minutes);
  }

  @Override
  public double expectedMinutes(long nowMillis, NodeProfile node, double minutes) {
    prospects.reserve(node);
    return prospects.expectedMinutes(nowMillis, node, minutes);
  }

  @Override
  public int chooseCopy(CopyChoice choice) {
    return copies.choose(choice);
  }

  @Override
  public int choose(Choice choice) {
    planIfDue(choice.nowMillis(), choice.pool());
    prospects.reserve(choice.node());
    int most = mostWorking(choice);
    int best = NONE;
    double bestWorth = 0;
    int floor = NONE;
    double floorChance = 0;
    double floorWorth = 0;
    int leastBad = 0;
    double leastBadChance = -1;
    for (int i = 0; i < choice.candidates(); i++) {
      ProjectProfile project = choice.candidate(i);
      double chance = chance(choice, i);
      double worth = worth(choice, i, chance);
      boolean isGoodNode = chance >= plan.floorChance(project);
      if (isGoodNode && isToProbe(choice, project)) {
        return i;
      }
      if (isGoodNode && project.working() < FLOOR * most && chance > floorChance) {
        floor = i;
        floorChance = chance;
        floorWorth = worth;
      }
      double relative = chance / Math.max(1e-9, plan.goodChance(project));
      if (relative > leastBadChance) {
        leastBad = i;
        leastBadChance = relative;
      }
      if (relative >= ValuePlan.KEEP_OFF && worth > bestWorth) {
        best = i;
        bestWorth = worth;
      }
    }
    if (floor != NONE && floorWorth >= FLOOR_WORTH * bestWorth) {
      return floor;
    }
    return best == NONE ? leastBad : leastServedAlike(choice, best);
  }

  private static int mostWorking(Choice choice) {
    int most = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      most = Math.max(most, choice.candidate(i).working());
    }
    return most;
  }

  private double chance(Choice choice, int position) {
    double minutes = minutes(choice.node(), choice.candidate(position));
    return prospects.survival(choice.nowMillis(), choice.node(), minutes);
  }

  /** Value per expected minute; asking for the work takes one. */
  private double worth(Choice choice, int position, double chance) {
    ProjectProfile project = choice.candidate(position);
    double minutes = minutes(choice.node(), project);
    double expected = prospects.expectedMinutes(choice.nowMillis(), choice.node(), minutes);
    return plan.value(project) * chance / (expected + 1);
  }

  private boolean isToProbe(Choice choice, ProjectProfile project) {
    return !runTimes.isKnown(project)
        && project.working() < Math.max(1, PROBING * choice.pool().nodesUp());
  }

  /** Among projects of nearly the same length as the chosen one, the one with fewest working. */
  private int leastServedAlike(Choice choice, int chosen) {
    double length = minutes(choice.node(), choice.candidate(chosen));
    int best = chosen;
    for (int i = 0; i < choice.candidates(); i++) {
      double other = minutes(choice.node(), choice.candidate(i));
      if (Math.min(other, length) > ALIKE * Math.max(other, length)
          && choice.candidate(i).working() < choice.candidate(best).working()) {
        best = i;
      }
    }
    return best;
  }

  private void planIfDue(long nowMillis, PoolProfile pool) {
    if (nowMillis < nextPlanMillis && plannedProjects == pool.projects()) {
      return;
    }
    if (firstPlanMillis == NEVER) {
      firstPlanMillis = nowMillis;
    }
    long age = nowMillis - firstPlanMillis;
    nextPlanMillis = nowMillis + Math.clamp(age / PLANS, SHORTEST_PLAN_MILLIS, LONGEST_PLAN_MILLIS);
    plannedProjects = pool.projects();
    prospects.refresh(nowMillis, pool);
    for (int i = 0; i < Math.min(pool.nodes(), workingOn.length); i++) {
      if (workingOn[i] != NONE) {
        double elapsed = (nowMillis - startedMillis[i]) / 60_000.0;
        runTimes.onTried(pool.node(i), pool.project(workingOn[i]), elapsed);
      }
    }
    plan.make(nowMillis, pool, prospects, runTimes);
  }

  @Override
  public String explain(Choice choice) {
    int chosen = choose(choice);
    StringBuilder text = new StringBuilder();
    text.append(name()).append(" chooses ").append(choice.candidate(chosen).project()).append(": ");
    for (int i = 0; i < choice.candidates(); i++) {
      ProjectProfile project = choice.candidate(i);
      double chance = chance(choice, i);
      text.append(i == 0 ? "" : "; ");
      text.append(
          String.format(
              Locale.ROOT,
              "%s takes about %.0f min here%s, finished with probability %.2f (good nodes: %.2f),"
                  + " worth %.3f per minute, %d being worked on",
              project.project(),
              minutes(choice.node(), project),
              runTimes.isKnown(project) ? "" : " (a guess)",
              chance,
              plan.goodChance(project),
              worth(choice, i, chance),
              project.working()));
    }
    return text.toString();
  }
}
