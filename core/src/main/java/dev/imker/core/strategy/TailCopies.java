package dev.imker.core.strategy;

import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.ProjectProfile;
import org.jspecify.annotations.Nullable;

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

  // What the asking node makes of the project of the last candidate: neighbours often share it.
  private @Nullable ProjectProfile project;
  private double minutes;
  private double success;
  private double cost;

  public TailCopies(Outlook outlook) {
    this.outlook = outlook;
  }

  /** Position of the task, or {@link Strategy#NONE} if no copy helps. */
  public int choose(CopyChoice choice) {
    project = null;
    int best = Strategy.NONE;
    double most = 0;
    for (int i = 0; i < choice.candidates(); i++) {
      look(choice, choice.project(i));
      if (minutes * success <= Math.max(most, LEAST_SAVED * cost)) {
        continue;
      }
      double need = need(choice, i);
      double gain = minutes * success * need;
      if (need >= LEAST_NEED && gain > most && gain > LEAST_SAVED * cost) {
        most = gain;
        best = i;
      }
    }
    return best;
  }

  private void look(CopyChoice choice, ProjectProfile next) {
    if (next != project) {
      project = next;
      minutes = outlook.minutes(choice.node(), next);
      success = outlook.survival(choice.nowMillis(), choice.node(), minutes);
      cost = outlook.expectedMinutes(choice.nowMillis(), choice.node(), minutes);
    }
  }

  /** Probability that no holder finishes, plus the share of time saved if one would. */
  private double need(CopyChoice choice, int position) {
    ProjectProfile task = choice.project(position);
    long now = choice.nowMillis();
    double allFail = 1;
    double soonest = Double.POSITIVE_INFINITY;
    for (int h = 0; h < choice.holders(position); h++) {
      NodeProfile holder = choice.holder(position, h);
      double elapsed = (now - choice.startedMillis(position, h)) / 60_000.0;
      double left = Math.max(1, outlook.minutes(holder, task) - elapsed);
      allFail *= 1 - outlook.survival(now, holder, left);
      soonest = Math.min(soonest, left);
    }
    double saved = soonest == Double.POSITIVE_INFINITY ? 1 : Math.max(0, 1 - minutes / soonest);
    return allFail + (1 - allFail) * saved;
  }
}
