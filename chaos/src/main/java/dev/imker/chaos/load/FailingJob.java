package dev.imker.chaos.load;

import dev.imker.chaos.check.FinalJob;
import dev.imker.client.Imker;
import dev.imker.client.plan.FailureStrategy;
import dev.imker.client.plan.Wanted;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Planned jobs in which a task fails, each with another thing that is done about it. */
public enum FailingJob {
  /** The task is tried again in vain, then what was done is undone. */
  UNDONE(FinalJob.UNDONE, FailingPlan.Fails.ALWAYS, "everything that was done has been undone"),
  /** All begins again, once. */
  RESTARTED(FinalJob.RESTARTED, FailingPlan.Fails.FIRST_TIME, "java-"),
  /** The task is tried again, and told why it failed before. */
  RESCUED("rescued", FailingPlan.Fails.UNTIL_RESCUED, "java-");

  private static final FailureStrategy RERUN = FailureStrategy.rerun(3, Duration.ofMillis(50));

  private final String prefix;
  private final FailingPlan.Fails fails;
  private final String end;

  FailingJob(String prefix, FailingPlan.Fails fails, String end) {
    this.prefix = prefix;
    this.fails = fails;
    this.end = end;
  }

  private FailureStrategy strategy() {
    return switch (this) {
      case UNDONE -> RERUN.orRollBack();
      case RESTARTED -> FailureStrategy.restart(1);
      case RESCUED -> RERUN;
    };
  }

  /**
   * Runs one to its end.
   *
   * @param number tells it from others
   * @param log where its tasks write what they do
   * @return what the program is told in the end
   */
  String run(Imker imker, int number, String log) throws InterruptedException {
    CompletableFuture<Wanted> job =
        imker
            .planned(prefix + number)
            .with(
                FailingPlan.Begin.class,
                FailingPlan.DoSlowly.class,
                FailingPlan.DoQuickly.class,
                FailingPlan.Fail.class)
            .has(new FailingPlan.Plan(log, fails))
            .wants(FailingPlan.Whole.class)
            .onFailure(strategy())
            .submit();
    try {
      return job.get().get(FailingPlan.Whole.class).word();
    } catch (ExecutionException e) {
      return String.valueOf(e.getCause());
    }
  }

  /** Whether that is what a program has to be told in the end. */
  public boolean isRight(String told) {
    return told.contains(end);
  }
}
