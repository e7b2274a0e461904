package dev.imker.server.internal.rest.runs;

import dev.imker.model.JobId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.tasks.Layouts;
import dev.imker.store.JobRecord;
import dev.imker.store.Journal;
import dev.imker.store.Reads;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

/** {@code /api/v1/jobs/ID/timeline}, {@code metrics} and {@code history}. */
public record RunRoutes(
    Reads reads,
    Journal journal,
    BlobStore blobs,
    Layouts layouts,
    NodeDirectory nodes,
    LongSupplier clock) {
  private static final int MAX_PARTS = 500;
  private static final int USUAL_PARTS = 150;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/jobs/{id}/timeline", Access.LOOK, this::timeline),
        Endpoint.get("/api/v1/jobs/{id}/metrics", Access.LOOK, this::metrics),
        Endpoint.get("/api/v1/jobs/{id}/history", Access.LOOK, this::history));
  }

  private void timeline(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    if (reads.job(id).isEmpty()) {
      throw JobViews.unknown(id);
    }
    int parts = (int) exchange.queryNumber("parts", USUAL_PARTS, 1, MAX_PARTS);
    Timeline timeline = new Timeline(clock.getAsLong());
    reads.forEachAttempt(id, timeline);
    exchange.json(200, timeline.view(parts, nodes.names()));
  }

  private void history(Exchange exchange) throws IOException {
    JobId id = JobRoutes.jobId(exchange);
    JobRecord job = reads.job(id).orElseThrow(() -> JobViews.unknown(id));
    JobHistory.FirstStart first = new JobHistory.FirstStart();
    reads.forEachAttempt(id, first);
    exchange.json(200, new JobHistory(job).view(journal, first.millis()));
  }

  private void metrics(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobRecord job = reads.job(id).orElseThrow(() -> JobViews.unknown(id));
    exchange.json(200, new Metrics(layouts.require(id), blobs::open).of(job, reads, nodes.names()));
  }
}
