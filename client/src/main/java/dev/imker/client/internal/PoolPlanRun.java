package dev.imker.client.internal;

import dev.imker.client.JobFailedException;
import dev.imker.client.Wanted;
import dev.imker.model.ImkerException;
import dev.imker.model.OnFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Planned jobs in a pool. The pool itself tries failed tasks again; to begin again or to undo is
 * ordered from here, by a further job.
 */
public final class PoolPlanRun implements PlanRun {
  private final Session session;

  public PoolPlanRun(Session session) {
    this.session = session;
  }

  @Override
  public CompletableFuture<Wanted> run(PlannedStages stages) {
    Shipping.Library library = stages.actions().shipping().library();
    CompletableFuture<Wanted> result = new CompletableFuture<>();
    run(stages, library, stages.strategy().restarts(), result);
    return result;
  }

  private void run(
      PlannedStages stages, Shipping.Library library, int restarts, CompletableFuture<Wanted> end) {
    List<String> names = IntStream.range(0, stages.size()).mapToObj(stages::className).toList();
    PlannedOutcomes outcomes = submit(stages, names, library, stages.toJson(library));
    var _ =
        end.whenComplete(
            (_, _) -> {
              if (end.isCancelled()) {
                outcomes.result().cancel(true);
              }
            });
    var _ =
        outcomes
            .result()
            .whenComplete(
                (wanted, failure) -> {
                  if (failure == null) {
                    end.complete(wanted);
                  } else if (!(failure instanceof JobFailedException) || end.isDone()) {
                    end.completeExceptionally(failure);
                  } else if (stages.strategy().way() == OnFailure.Way.RESTART && restarts > 0) {
                    run(stages, library, restarts - 1, end);
                  } else if (stages.strategy().way() == OnFailure.Way.ROLLBACK) {
                    undo(stages, library, outcomes.toUndo(), failure, end);
                  } else {
                    end.completeExceptionally(failure);
                  }
                });
  }

  private void undo(
      PlannedStages stages,
      Shipping.Library library,
      Map<Integer, Map<String, Object>> done,
      Throwable failure,
      CompletableFuture<Wanted> end) {
    String why = String.valueOf(failure.getMessage());
    if (done.isEmpty()) {
      end.completeExceptionally(new JobFailedException(why + "; nothing was to be undone"));
      return;
    }
    var _ =
        submit(
                stages,
                done.keySet().stream().map(stages::className).toList(),
                library,
                stages.undoJson(library, done))
            .result()
            .whenComplete(
                (_, stuck) ->
                    end.completeExceptionally(
                        new JobFailedException(
                            stuck == null
                                ? why + "; all that was done is undone"
                                : why + "; it could not be undone: " + stuck.getMessage(),
                            failure)));
  }

  private PlannedOutcomes submit(
      PlannedStages stages, List<String> names, Shipping.Library library, byte[] job) {
    PlannedOutcomes outcomes = new PlannedOutcomes(session, stages.actions().loader(), names);
    session
        .workers()
        .execute(
            () -> {
              try {
                Patience.untilThere(
                    Session.patience(),
                    () -> {
                      session.rest().upload(library.jars());
                      return true;
                    });
                outcomes.submitted(session.submit(job, outcomes));
              } catch (ImkerException e) {
                outcomes.fail(e);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    return outcomes;
  }
}
