package dev.imker.core.strategy.survival;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.PoolTime;
import dev.imker.core.profile.ProfileListener;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.CopyChoice;
import dev.imker.core.strategy.Outlook;
import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.StrategyMemory;
import dev.imker.core.strategy.TailCopies;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  private static final long SHORTEST_PLAN_MILLIS = 5 * PoolTime.MILLIS_PER_MINUTE;
  private static final long LONGEST_PLAN_MILLIS = 60 * PoolTime.MILLIS_PER_MINUTE;
  private static final long PLANS = 30;

  private static final double FLOOR = 0.1;
  private static final double FLOOR_WORTH = 0.6;
  private static final double PROBING = 0.1;
  private static final double ALIKE = 0.95;

  /** A task longer than any seen so far is expected to take half as long again. */
  private static final double LONGER = 1.5;

  private static final double MIN_SHARE = 1e-3;

  private static final double POOR = 0.5;
  private static final double FEW_FIT = 0.6;
  private static final double ASKING_MINUTES = 1;
  private static final double PATIENCE = 0.1;
  private static final double PATIENCE_MILLIS = 5.0 * PoolTime.MILLIS_PER_MINUTE;

  private final Prospects prospects = new Prospects();
  private final ObservedRunTimes runTimes = new ObservedRunTimes();
  private final SomeCandidates some = new SomeCandidates();
  private final Fits fits = new Fits();
  private final Rests rests = new Rests();
  private final ValuePlan plan;
  private final TailCopies copies = new TailCopies(this);
  private final SurvivalMemory memory;
  private @Nullable PoolProfile attached;
  private long nextPlanMillis = NEVER;
  private long firstPlanMillis = NEVER;
  private int plannedProjects;

  // What each node works on, for the elapsed time of projects of unknown length.
  private int[] workingOn = {};
  private long[] leftSinceMillis = {};
  private double workedMinutes;
  private double lookedChance;
  private double lookedEffort;
  private long[] startedMillis = {};

  /** {@code endWeight}: how much an early end of all work counts against early results. */
  public Survival(double endWeight) {
    plan = new ValuePlan(endWeight);
    memory = new SurvivalMemory(prospects, runTimes, plan, rests);
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
    attached = pool;
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
    memory.changed(node);
  }

  @Override
  public void onNodeDown(long nowMillis, NodeProfile node, double uptimeMinutes) {
    prospects.onDown(nowMillis, node, uptimeMinutes);
    memory.changed(node);
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
    if (rests.onAssigned(node, nowMillis)) {
      memory.changed(node);
    }
  }

  @Override
  public void onSucceeded(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
    workedMinutes += minutes * project.coresPerTask();
    if (!runTimes.isKnown(project)) {
      nextPlanMillis = NEVER;
    }
    runTimes.onSucceeded(node, project, minutes);
    memory.changed(project);
  }

  @Override
  public void onFailed(long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
    workedMinutes += minutes * project.coresPerTask();
    runTimes.onCutOff(node, project, minutes);
    memory.changed(project);
  }

  @Override
  public void onWithdrawn(
      long nowMillis, NodeProfile node, ProjectProfile project, double minutes) {
    free(node);
    workedMinutes += minutes * project.coresPerTask();
  }

  @Override
  public double workedMinutes() {
    return workedMinutes;
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
  public int level(ProjectProfile project, double atLeast) {
    Lengths lengths = runTimes.lengths(project);
    int level = 0;
    while (level < lengths.points() && lengths.ratio(level) <= atLeast) {
      level++;
    }
    return level < lengths.points() ? level : Outlook.NO_LEVEL;
  }

  @Override
  public double minutesLeft(NodeProfile node, ProjectProfile project, double atLeast, double done) {
    double usual = runTimes.typicalMinutes(node, project);
    Lengths lengths = runTimes.lengths(project);
    double floor = Math.max(atLeast, done);
    double share = 0;
    double left = 0;
    for (int i = 0; i < lengths.points(); i++) {
      if (lengths.ratio(i) > floor) {
        share += lengths.share(i);
        left += lengths.share(i) * (lengths.ratio(i) - done);
      }
    }
    double ratio = share < MIN_SHARE ? LONGER * floor - done : left / share;
    return Math.max(1e-3, usual * ratio);
  }

  @Override
  public double chance(
      long nowMillis, NodeProfile node, ProjectProfile project, double atLeast, double done) {
    prospects.reserve(node);
    double usual = runTimes.typicalMinutes(node, project);
    Lengths lengths = runTimes.lengths(project);
    double floor = Math.max(atLeast, done);
    double share = 0;
    double chance = 0;
    for (int i = 0; i < lengths.points(); i++) {
      if (lengths.ratio(i) > floor) {
        share += lengths.share(i);
        double left = usual * (lengths.ratio(i) - done);
        chance += lengths.share(i) * prospects.survival(nowMillis, node, left);
      }
    }
    return share < MIN_SHARE
        ? prospects.survival(nowMillis, node, usual * (LONGER * floor - done))
        : chance / share;
  }

  /** Probability that the node lives that many minutes more. */
  public double survival(long nowMillis, NodeProfile node, double minutes) {
    prospects.reserve(node);
    return prospects.survival(nowMillis, node, minutes);
  }

  @Override
  public int chooseCopy(CopyChoice choice) {
    return rests.rests(choice.node(), choice.nowMillis()) ? NONE : copies.choose(choice);
  }

  @Override
  public int choose(Choice choice) {
    planIfDue(choice.nowMillis(), choice.pool());
    prospects.reserve(choice.node());
    if (choice.candidates() > SomeCandidates.MAX) {
      return some.position(chooseAmong(some.of(choice)));
    }
    if (choice.fitting() <= SomeCandidates.MAX) {
      fits.see(choice);
    }
    return chooseAmong(choice);
  }

  private int chooseAmong(Choice choice) {
    double most = largestLoad(choice);
    boolean slack = hasSlack(choice);
    int best = NONE;
    double bestWorth = 0;
    int floor = NONE;
    double floorChance = 0;
    double floorWorth = 0;
    int leastBad = 0;
    double leastBadChance = -1;
    for (int i = 0; i < choice.candidates(); i++) {
      ProjectProfile project = choice.candidate(i);
      look(choice, project);
      double chance = lookedChance;
      double worth = plan.value(project) * chance / lookedEffort;
      boolean isGoodNode = chance >= plan.floorChance(project);
      if (isGoodNode && isToProbe(choice, project)) {
        return i;
      }
      if (isGoodNode && project.load() < FLOOR * most && chance > floorChance) {
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
    rests.judge(choice.node(), best == NONE ? bestHope(choice, leastBadChance) : 1);
    if (rests.rests(choice.node(), choice.nowMillis())) {
      return NONE;
    }
    int chosen = best == NONE ? leastBad : leastServedAlike(choice, best);
    return slack && isLeftToOthers(choice, choice.candidate(chosen)) ? NONE : chosen;
  }

  /**
   * The largest chance to finish something, now or after a new start, as a share of what good nodes
   * have. What is of unknown length, or fits few nodes, is not left to others, and nothing is where
   * no others are at work: good nodes may be up and yet not ask for any.
   */
  private double bestHope(Choice choice, double now) {
    double best = now;
    boolean others = false;
    for (int i = 0; i < choice.candidates(); i++) {
      ProjectProfile project = choice.candidate(i);
      if (!runTimes.isKnown(project) || fits.share(project) < FEW_FIT) {
        return 1;
      }
      others |= isWorkedOnElsewhere(choice.node(), project);
      double chance = prospects.afterStart(choice.node(), minutes(choice.node(), project));
      best = Math.max(best, chance / Math.max(1e-9, plan.goodChance(project)));
    }
    return rests.isAlone(choice.node(), others, choice.nowMillis()) ? 1 : best;
  }

  private boolean isWorkedOnElsewhere(NodeProfile node, ProjectProfile project) {
    int i = node.index();
    boolean here = i < workingOn.length && workingOn[i] == project.index();
    return project.working() > (here ? 1 : 0);
  }

  /** Whether there are more idle nodes than tasks for them. */
  private static boolean hasSlack(Choice choice) {
    long ready = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      ready += choice.candidate(i).ready();
    }
    return choice.pool().nodesIdle() > ready;
  }

  /**
   * With more idle nodes than tasks, a node that is far slower or far more likely to fail than good
   * ones leaves the task to them, for a little while.
   */
  private boolean isLeftToOthers(Choice choice, ProjectProfile project) {
    double good = plan.goodPace(project);
    look(choice, project);
    double pace = lookedChance / lookedEffort;
    int k = project.index();
    if (pace >= POOR * good) {
      return false;
    }
    if (leftSinceMillis.length <= k) {
      leftSinceMillis = Arrays.copyOf(leftSinceMillis, k + 8);
    }
    long now = choice.nowMillis();
    long patience = (long) Math.min(PATIENCE_MILLIS, PoolTime.MILLIS_PER_MINUTE * PATIENCE / good);
    if (leftSinceMillis[k] == 0 || now - leftSinceMillis[k] > 2 * patience) {
      leftSinceMillis[k] = now;
    }
    return now - leftSinceMillis[k] < patience;
  }

  private static double largestLoad(Choice choice) {
    double most = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      most = Math.max(most, choice.candidate(i).load());
    }
    return most;
  }

  private double chance(Choice choice, int position) {
    return chance(choice.nowMillis(), choice.node(), choice.candidate(position), 0, 0);
  }

  /** Finds the chance to finish a task, and the minutes until its end or an outage. */
  private void look(Choice choice, ProjectProfile project) {
    long now = choice.nowMillis();
    NodeProfile node = choice.node();
    double usual = runTimes.typicalMinutes(node, project);
    Lengths lengths = runTimes.lengths(project);
    double chance = 0;
    double effort = ASKING_MINUTES;
    for (int i = 0; i < lengths.points(); i++) {
      double length = usual * lengths.ratio(i);
      chance += lengths.share(i) * prospects.survival(now, node, length);
      effort += lengths.share(i) * prospects.expectedMinutes(now, node, length);
    }
    lookedChance = chance;
    lookedEffort = effort;
  }

  /** Value per expected minute. */
  private double worth(Choice choice, int position) {
    look(choice, choice.candidate(position));
    return plan.value(choice.candidate(position)) * lookedChance / lookedEffort;
  }

  private boolean isToProbe(Choice choice, ProjectProfile project) {
    return !runTimes.isKnown(project)
        && project.working() < Math.max(1, PROBING * choice.pool().nodesUp());
  }

  /** Among projects of nearly the same length as the chosen one, the one with the least load. */
  private int leastServedAlike(Choice choice, int chosen) {
    double length = minutes(choice.node(), choice.candidate(chosen));
    int best = chosen;
    for (int i = 0; i < choice.candidates(); i++) {
      double other = minutes(choice.node(), choice.candidate(i));
      if (Math.min(other, length) > ALIKE * Math.max(other, length)
          && choice.candidate(i).load() < choice.candidate(best).load()) {
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
        double elapsed = PoolTime.minutes(nowMillis - startedMillis[i]);
        runTimes.onTried(pool.node(i), pool.project(workingOn[i]), elapsed);
      }
    }
    plan.make(nowMillis, pool, prospects, runTimes, fits);
    memory.changed(pool);
  }

  @Override
  public boolean remember(int most, Consumer<StrategyMemory> sink) {
    PoolProfile pool = attached;
    return pool != null && memory.write(pool, most, clocks(), sink);
  }

  private Map<String, double[]> clocks() {
    double[] clocks = {nextPlanMillis, firstPlanMillis, plannedProjects, plan.known()};
    double[] copied = {workedMinutes, copies.wastedMinutes()};
    return Map.of("clocks", clocks, "copies", copied);
  }

  @Override
  public void recall(PoolProfile pool, StrategyMemory kept) {
    double[] clocks = kept.values("clocks");
    if (memory.recall(pool, kept) && clocks.length == 4) {
      nextPlanMillis = (long) clocks[0];
      firstPlanMillis = (long) clocks[1];
      plannedProjects = (int) clocks[2];
      plan.known((int) clocks[3]);
      workedMinutes = kept.value("copies", 0);
      double[] copied = kept.values("copies");
      copies.recallWastedMinutes(copied.length == 2 ? copied[1] : 0);
    }
  }

  @Override
  public String wording() {
    return "takes about %.2f min here, finishes with probability %.2f (good nodes: %.2f), worth"
        + " %.3f per minute";
  }

  @Override
  public void figures(Choice choice, int position, double[] into, int at) {
    ProjectProfile project = choice.candidate(position);
    into[at] = minutes(choice.node(), project);
    into[at + 3] = worth(choice, position);
    into[at + 1] = lookedChance;
    into[at + 2] = plan.goodChance(project);
  }

  @Override
  public String explain(Choice choice) {
    int chosen = choose(choice);
    if (chosen == NONE) {
      return name()
          + (rests.rests(choice.node(), choice.nowMillis())
              ? " leaves this node idle: it would hardly finish anything; trying again later"
              : " leaves the work to better nodes that are idle");
    }
    StringBuilder text = new StringBuilder();
    text.append(name()).append(" chooses ").append(choice.candidate(chosen).project()).append(": ");
    for (int i = 0; i < choice.candidates(); i++) {
      ProjectProfile project = choice.candidate(i);
      double chance = chance(choice, i);
      text.append(i == 0 ? "" : "; ");
      text.append(
          String.format(
              Locale.ROOT,
              "%s takes about %.0f min here%s, finishes with probability %.2f (good"
                  + " nodes: %.2f), worth %.3f per minute, %d running",
              project.project(),
              minutes(choice.node(), project),
              runTimes.isKnown(project) ? "" : " (a guess)",
              chance,
              plan.goodChance(project),
              worth(choice, i),
              project.working()));
    }
    return text.toString();
  }
}
