package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.JobCommands;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;

/** {@code PATCH /api/v1/jobs/ID}: changes what may be changed while tasks are queued or run. */
final class LimitRoutes {
  private static final int MOST_BYTES = 10_000;
  private final JobCommands commands;
  private final JobViews views;

  LimitRoutes(JobCommands commands, JobViews views) {
    this.commands = commands;
    this.views = views;
  }

  List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(HttpMethod.PATCH, "/api/v1/jobs/{id}", Access.WORK, true, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobView job = views.require(id);
    JobChange change =
        JobChange.read(JsonFields.of(exchange.json(MOST_BYTES), "", JobChange.FIELDS));
    int changed = Await.answer(change.unless(job.priority()).apply(commands, id));
    exchange.json(200, new JobRoutes.Changed(changed, views.require(id)));
  }
}
