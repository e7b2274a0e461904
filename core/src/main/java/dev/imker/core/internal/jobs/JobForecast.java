package dev.imker.core.internal.jobs;

import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.ExpectedEnd;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.TaskState;
import java.util.DoubleSummaryStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Expects the end of a job from the run times of its project. What is left of the running tasks and
 * a mean run for each of the others is shared by as many as run now; the last ones end one after
 * the other, which takes half a run more. The spread is that of a sum of independent runs, and of
 * the one that ends last.
 */
public final class JobForecast {
  /** 80 of 100 draws of a normal distribution are at most so many deviations from its mean. */
  private static final double DEVIATIONS = 1.28;

  /** A run that is longer than this is unlike earlier ones. */
  private static final double OUTLIER_DEVIATIONS = 3;

  private static final double OUTLIER_RUNS = 2;

  private JobForecast() {}

  /**
   * Null while nothing of it runs, or nothing is known of run times: also where all that runs has
   * run for far longer than runs of its project take, so that they tell nothing of this one.
   */
  public static @Nullable ExpectedEnd of(TaskArray job, long nowMillis) {
    ProjectProfile project = job.project();
    int open = job.count(TaskState.READY) + job.count(TaskState.WAITING);
    double outlier = project.runMillis() + OUTLIER_DEVIATIONS * project.runDeviationMillis();
    DoubleSummaryStatistics rests = new DoubleSummaryStatistics();
    DoubleSummaryStatistics ages = new DoubleSummaryStatistics();
    job.running()
        .forEach(
            task -> {
              LiveAttempt attempt = task.first();
              if (attempt != null) {
                rests.accept(
                    (double) Math.max(0, attempt.expectedEndMillis(nowMillis) - nowMillis));
                ages.accept((double) attempt.ageMillis(nowMillis));
              }
            });
    double running = rests.getCount();
    if (running == 0
        || !project.isRunTimeKnown()
        || ages.getMin() > Math.max(OUTLIER_RUNS * project.runMillis(), outlier)) {
      return null;
    }
    double mean = project.runMillis();
    double shared = (rests.getSum() + open * mean) / running + mean / 2 * (running - 1) / running;
    double length = open == 0 ? rests.getMax() : Math.max(rests.getMax(), shared);
    double runs = (open + running) / running / running + (running > 1 ? 1 : 0);
    double half = DEVIATIONS * project.runDeviationMillis() * Math.sqrt(runs);
    return new ExpectedEnd(
        nowMillis + (long) length,
        nowMillis + (long) Math.max(0, length - half),
        nowMillis + (long) (length + half));
  }
}
