package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.TaskRules;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.JobCommands;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** {@code PATCH /api/v1/jobs/ID}: changes what may be changed while tasks are queued or run. */
final class LimitRoutes {
  private static final int MOST_BYTES = 10_000;
  private static final Set<String> LIMITS = Set.of("maxFailures", "maxRuntimeMillis", "pin");
  private static final Set<String> FIELDS =
      Set.of("priority", "maxFailures", "maxRuntimeMillis", "pin");

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
    JsonFields body = JsonFields.of(exchange.json(MOST_BYTES), "", FIELDS);
    if (FIELDS.stream().noneMatch(body::has)) {
      throw ApiException.invalid(
          "", "Say what to change: priority, maxFailures, maxRuntimeMillis or pin.");
    }
    UnaryOperator<TaskRules> change = RulesReader.change(body);
    int changed = 0;
    if (body.has("priority")) {
      int priority = (int) body.number("priority", 0, 9);
      changed = priority == job.priority() ? 0 : Await.answer(commands.prioritise(id, priority));
    }
    if (LIMITS.stream().anyMatch(body::has)) {
      changed = Await.answer(commands.limit(id, change));
    }
    exchange.json(200, new JobRoutes.Changed(changed, views.require(id)));
  }
}
