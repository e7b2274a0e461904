package dev.imker.server.internal.rest.runs;

import dev.imker.model.JobId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.request.KeptAnswers;
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
    KeptAnswers answers,
    LongSupplier clock) {

  /** What an answer is about, and what makes it another one. */
  private record Question(String what, JobId job, long settledMillis, int parts) {}

  private static final int MAX_PARTS = 500;
  private static final int USUAL_PARTS = 150;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/jobs/{id}/timeline", Access.LOOK, this::timeline),
        Endpoint.get("/api/v1/jobs/{id}/metrics", Access.LOOK, this::metrics),
        Endpoint.get("/api/v1/jobs/{id}/history", Access.LOOK, this::history));
  }

  private void timeline(Exchange exchange) throws IOException, InterruptedException {
    JobRecord job = job(exchange);
    int parts = (int) exchange.queryNumber("parts", USUAL_PARTS, 1, MAX_PARTS);
    exchange.json(
        200,
        answers.answer(
            question("timeline", job, parts),
            TimelineView.class,
            () -> {
              Timeline timeline = new Timeline(clock.getAsLong());
              reads.forEachAttempt(job.id(), timeline);
              return timeline.view(parts, nodes.names());
            }));
  }

  private void history(Exchange exchange) throws IOException, InterruptedException {
    JobRecord job = job(exchange);
    exchange.json(
        200,
        answers.answer(
            question("history", job, 0),
            JobHistory.View.class,
            () -> {
              JobHistory.FirstStart first = new JobHistory.FirstStart();
              reads.forEachAttempt(job.id(), first);
              return new JobHistory(job).view(journal, first.millis());
            }));
  }

  private void metrics(Exchange exchange) throws IOException, InterruptedException {
    JobRecord job = job(exchange);
    exchange.json(
        200,
        answers.answer(
            question("metrics", job, 0),
            MetricsView.class,
            () ->
                new Metrics(layouts.require(job.id()), blobs::open).of(job, reads, nodes.names())));
  }

  private JobRecord job(Exchange exchange) {
    JobId id = JobRoutes.jobId(exchange);
    return reads.job(id).orElseThrow(() -> JobViews.unknown(id));
  }

  /** A job that runs on after its end, because somebody retried tasks, is asked about anew. */
  private static Question question(String what, JobRecord job, int parts) {
    return new Question(what, job.id(), job.isSettled() ? job.settledMillis() : 0, parts);
  }
}
