package dev.imker.server.internal.rest.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.request.RecordReader;
import dev.imker.server.plan.PlanOrder;
import java.io.IOException;
import java.util.List;

/** {@code /api/v1/plans}: plans, and jobs that carry them out. */
public record PlannedJobRoutes(PlannedJobs jobs) {
  private static final int MAX_BODY_BYTES = 16 << 20;

  /** A job that carries out a plan. */
  public record Started(long job, List<String> warnings) {}

  public List<Endpoint> endpoints() {
    return List.of(
        new PlannerRoutes(jobs).endpoint(),
        Endpoint.post("/api/v1/plans/jobs", Access.WORK, this::start),
        Endpoint.get("/api/v1/jobs/{id}/plan", Access.LOOK, this::show),
        Endpoint.get("/api/v1/plans/times", Access.LOOK, this::times));
  }

  private void start(Exchange exchange) throws IOException, InterruptedException {
    JsonNode body = exchange.json(MAX_BODY_BYTES);
    PlanOrder order = body.has("bindings") ? BoundPlan.read(body) : order(body);
    JobIntake.Accepted accepted =
        jobs.start(exchange.identity(), order, JobRoutes.requestKey(exchange), exchange::isGone);
    exchange.json(
        accepted.fresh() ? 201 : 200, new Started(accepted.job().value(), accepted.warnings()));
  }

  private static PlanOrder order(JsonNode body) {
    for (String field : List.of("domain", "problem", "job")) {
      if (!body.hasNonNull(field)) {
        throw ApiException.invalid(field, field + " is missing.");
      }
    }
    return RecordReader.read(body, "", PlanOrder.class);
  }

  private void show(Exchange exchange) throws IOException {
    exchange.json(
        200,
        jobs.of(JobRoutes.jobId(exchange))
            .orElseThrow(
                () -> ApiException.notFound("This job does not belong to a plan of the pool.")));
  }

  private void times(Exchange exchange) throws IOException {
    String domain =
        exchange
            .query("domain")
            .orElseThrow(() -> ApiException.invalid("domain", "domain is missing."));
    exchange.json(200, new PlannedJobs.Times(jobs.times(exchange.identity().user(), domain)));
  }
}
