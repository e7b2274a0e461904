package dev.imker.server.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.rest.request.Await;
import dev.imker.server.rest.request.JsonFields;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code PATCH /api/v1/jobs/ID}: changes what may be changed while tasks are queued or run, of the
 * whole job or of the tasks {@code from..to}.
 */
public final class LimitRoutes {
  private static final int MAX_BYTES = 10_000;
  private static final Set<String> FIELDS =
      Stream.concat(JobChange.FIELDS.stream(), Stream.of("from", "to"))
          .collect(Collectors.toUnmodifiableSet());

  private final JobCommands commands;
  private final JobViews views;

  public LimitRoutes(JobCommands commands, JobViews views) {
    this.commands = commands;
    this.views = views;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        new Endpoint(HttpMethod.PATCH, "/api/v1/jobs/{id}", Access.WORK, true, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobView job = views.require(id);
    JsonFields body = JsonFields.of(exchange.json(MAX_BYTES), "", FIELDS);
    JobChange change = JobChange.read(body);
    int changed;
    if (body.has("from") || body.has("to")) {
      int from = (int) body.number("from", 1, 1, job.tasks());
      int to = (int) body.number("to", job.tasks(), from, job.tasks());
      changed = Await.answer(commands.limitTasks(id, change.of(from, to)));
    } else {
      changed = Await.answer(change.unless(job.priority()).apply(commands, id));
    }
    exchange.json(200, new JobRoutes.Changed(changed, views.require(id)));
  }
}
