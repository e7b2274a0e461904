package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolTime;
import dev.imker.core.profile.ProjectProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the running task whose copy is expected to save most. A copy that ends well is of use if
 * all present holders fail, or if it is faster than the first of them; its gain is the probability
 * of that times the minutes of the task. Nothing is copied that will most likely be finished
 * without (in a small pool, where every minute of a copy is a larger part of the work, even less),
 * or where the copy is expected to save hardly anything of the time it costs.
 */
public final class TailCopies {
  private static final double MIN_SAVED = 0.02;
  private static final double MIN_NEED = 0.08;
  private static final double NEED_OF_ONE_NODE = 0.5;
  private static final double FEW = 0.2;

  /** Part of all work that copies may waste; beyond it only what would fail is copied. */
  private static final double BUDGET = 0.02;

  private static final double NEED_BEYOND_BUDGET = 0.5;

  private final Outlook outlook;

  // Many tasks are alike: what the asking node makes of them, by project and level, and what
  // becomes of a task that one node holds, by that node.
  private double[] ownMinutes = {};
  private double[] ownChance = {};
  private long[] ownAsked = {};
  private final List<Holding> holdings = new ArrayList<>();
  private long asked;
  private double wasted;
  private double wasteOfLast;

  private static final class Holding {
    long nowMillis = Long.MIN_VALUE;
    long startedMillis;
    @Nullable ProjectProfile project;
    double done;
    double fails;
    double minutesLeft;
  }

  public TailCopies(Outlook outlook) {
    this.outlook = outlook;
  }

  /** One that goes by reputations and mean run times alone. */
  public static TailCopies byReputation() {
    return new TailCopies(new ReputationOutlook());
  }

  /** Position of the task, or {@link Strategy#NONE} if no copy helps. */
  public int choose(CopyChoice choice) {
    asked++;
    int best = Strategy.NONE;
    double most = 0;
    double waste = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      double gain = gain(choice, i);
      if (gain > most) {
        most = gain;
        best = i;
        waste = wasteOfLast;
      }
    }
    wasted += best == Strategy.NONE ? 0 : waste * choice.project(best).coresPerTask();
    return best;
  }

  /** Minutes of cores that copies are expected to have wasted so far. */
  public double wastedMinutes() {
    return wasted;
  }

  public void recallWastedMinutes(double minutes) {
    wasted = minutes;
  }

  /** Minutes a copy is expected to save; 0 if it is not worth it. */
  private double gain(CopyChoice choice, int position) {
    ProjectProfile task = choice.project(position);
    long now = choice.nowMillis();
    double atLeast = 0;
    double allFail = 1;
    double soonest = Double.POSITIVE_INFINITY;
    int count = choice.holders(position);
    if (count == 1) {
      Holding holding = holding(choice, position);
      atLeast = holding.done;
      allFail = holding.fails;
      soonest = holding.minutesLeft;
    } else {
      for (int h = 0; h < count; h++) {
        atLeast = Math.max(atLeast, done(choice, position, h));
      }
      for (int h = 0; h < count; h++) {
        NodeProfile holder = choice.holder(position, h);
        double done = done(choice, position, h);
        allFail *= 1 - outlook.chance(now, holder, task, atLeast, done);
        soonest = Math.min(soonest, outlook.minutesLeft(holder, task, atLeast, done));
      }
    }
    int cell = lookAt(choice, task, atLeast);
    double minutes = ownMinutes[cell];
    double saved = soonest == Double.POSITIVE_INFINITY ? 1 : Math.max(0, 1 - minutes / soonest);
    double need = allFail + (1 - allFail) * saved;
    wasteOfLast = Math.min(minutes, soonest) * (1 - need);
    if (need < leastNeed(choice)) {
      return 0;
    }
    double success = ownChance[cell];
    return success * need < MIN_SAVED ? 0 : minutes * success * need;
  }

  /** The last few tasks may always be copied: they waste little, and all wait for them. */
  private double leastNeed(CopyChoice choice) {
    int nodes = Math.max(1, choice.pool().nodesUp());
    boolean few = choice.candidates() <= 1 + FEW * nodes;
    return !few && wasted > BUDGET * outlook.workedMinutes()
        ? NEED_BEYOND_BUDGET
        : MIN_NEED + NEED_OF_ONE_NODE / nodes;
  }

  /** The only holder of a task; two tasks on one node take turns in its place. */
  private Holding holding(CopyChoice choice, int position) {
    NodeProfile holder = choice.holder(position, 0);
    ProjectProfile task = choice.project(position);
    long started = choice.startedMillis(position, 0);
    while (holdings.size() <= holder.index()) {
      holdings.add(new Holding());
    }
    Holding holding = holdings.get(holder.index());
    if (holding.nowMillis != choice.nowMillis()
        || holding.startedMillis != started
        || holding.project != task) {
      holding.nowMillis = choice.nowMillis();
      holding.startedMillis = started;
      holding.project = task;
      double done = done(choice, position, 0);
      holding.done = done;
      holding.fails = 1 - outlook.chance(choice.nowMillis(), holder, task, done, done);
      holding.minutesLeft = outlook.minutesLeft(holder, task, done, done);
    }
    return holding;
  }

  /** Finds out what the asking node would make of such a task; returns where it stands. */
  private int lookAt(CopyChoice choice, ProjectProfile task, double atLeast) {
    int level = outlook.level(task, atLeast);
    int cell = task.index() * (Outlook.LEVELS + 1) + level + 1;
    if (ownAsked.length <= cell) {
      ownMinutes = Arrays.copyOf(ownMinutes, cell + 64);
      ownChance = Arrays.copyOf(ownChance, cell + 64);
      ownAsked = Arrays.copyOf(ownAsked, cell + 64);
    }
    if (ownAsked[cell] != asked || level == Outlook.NO_LEVEL) {
      ownAsked[cell] = asked;
      ownMinutes[cell] = outlook.minutesLeft(choice.node(), task, atLeast, 0);
      ownChance[cell] = outlook.chance(choice.nowMillis(), choice.node(), task, atLeast, 0);
    }
    return cell;
  }

  /** How many usual run times a holder has worked on the task. */
  private double done(CopyChoice choice, int position, int holder) {
    double minutes = PoolTime.minutes(choice.nowMillis() - choice.startedMillis(position, holder));
    return minutes / outlook.minutes(choice.holder(position, holder), choice.project(position));
  }
}
