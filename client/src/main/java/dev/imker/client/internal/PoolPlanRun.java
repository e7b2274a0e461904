package dev.imker.client.internal;

import dev.imker.client.Wanted;
import dev.imker.model.ImkerException;
import java.util.concurrent.CompletableFuture;

/** Planned jobs in a pool. */
public final class PoolPlanRun implements PlanRun {
  private final Session session;

  public PoolPlanRun(Session session) {
    this.session = session;
  }

  @Override
  public CompletableFuture<Wanted> run(PlannedStages stages) {
    Shipping.Library library = stages.actions().shipping().library();
    PlannedOutcomes outcomes = new PlannedOutcomes(session, stages);
    byte[] job = stages.toJson(library);
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
    return outcomes.result();
  }
}
