package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;

/**
 * Chooses the running task whose copy is expected to save most. A copy that ends well is of use if
 * all present holders fail, or if it is faster than the first of them; its gain is the probability
 * of that times the minutes of the task. Nothing is copied that will most likely be finished
 * without, or where the copy is expected to save hardly anything of the time it costs.
 */
public final class TailCopies {
  private static final double LEAST_SAVED = 0.02;
  private static final double LEAST_NEED = 0.05;

  private final Outlook outlook;

  public TailCopies(Outlook outlook) {
    this.outlook = outlook;
  }

  /** Position of the task, or {@link Strategy#NONE} if no copy helps. */
  public int choose(CopyChoice choice) {
    int best = Strategy.NONE;
    double most = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      double minutes = outlook.minutes(choice.node(), choice.project(i));
      double gain = minutes * use(choice, i, minutes);
      double cost = outlook.expectedMinutes(choice.nowMillis(), choice.node(), minutes);
      if (gain > most && gain > LEAST_SAVED * cost) {
        most = gain;
        best = i;
      }
    }
    return best;
  }

  /** Probability that the copy brings the result, weighted by the share of time it saves. */
  private double use(CopyChoice choice, int position, double minutes) {
    ProjectProfile project = choice.project(position);
    long now = choice.nowMillis();
    double allFail = 1;
    double soonest = Double.POSITIVE_INFINITY;
    for (int h = 0; h < choice.holders(position); h++) {
      NodeProfile holder = choice.holder(position, h);
      double elapsed = (now - choice.startedMillis(position, h)) / 60_000.0;
      double left = Math.max(1, outlook.minutes(holder, project) - elapsed);
      allFail *= 1 - outlook.survival(now, holder, left);
      soonest = Math.min(soonest, left);
    }
    double saved = soonest == Double.POSITIVE_INFINITY ? 1 : Math.max(0, 1 - minutes / soonest);
    double need = allFail + (1 - allFail) * saved;
    return need < LEAST_NEED ? 0 : need * outlook.survival(now, choice.node(), minutes);
  }
}
