package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.rest.changes.Settling;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Sorting;
import dev.imker.server.live.Removal;
import dev.imker.store.JobFilter;
import dev.imker.store.JobOrder;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/jobs}: submit, list, look at, and steer jobs. */
public record JobRoutes(
    JobCommands commands, JobViews views, Reads reads, JobIntake intake, Settling settling) {
  /** A sweep may list a million values. */
  private static final int MAX_JOB_BYTES = 64 << 20;

  private static final int MAX_ACTION_BYTES = 10_000;
  private static final int MAX_KEY_CHARS = 200;
  private static final int MAX_JOBS = 1000;

  /** The answer to an action. */
  public record Changed(int changed, JobView job) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/api/v1/jobs", Access.WORK, this::submit),
        Endpoint.post("/api/v1/jobs/batch", Access.WORK, this::submitAll),
        Endpoint.get("/api/v1/jobs", Access.LOOK, this::list),
        Endpoint.get("/api/v1/jobs/{id}", Access.LOOK, this::show),
        Endpoint.delete("/api/v1/jobs/{id}", Access.WORK, this::remove),
        action("cancel", JobCommands.Action.CANCEL),
        action("block", JobCommands.Action.BLOCK),
        action("release", JobCommands.Action.RELEASE),
        Endpoint.post("/api/v1/jobs/{id}/priority", Access.WORK, this::prioritise));
  }

  private Endpoint action(String name, JobCommands.Action action) {
    return Endpoint.post(
        "/api/v1/jobs/{id}/" + name, Access.WORK, exchange -> act(exchange, action));
  }

  public static JobId jobId(Exchange exchange) {
    String text = exchange.param("id");
    if (!text.matches("[1-9][0-9]{0,17}")) {
      throw ApiException.invalid(
          "id", "'" + text + "' is not the number of a job; 'imker ls' lists all.");
    }
    return new JobId(Long.parseLong(text));
  }

  // ---------------------------------------------------------------- submit

  private void submit(Exchange exchange) throws IOException, InterruptedException {
    int waitSeconds = Settling.seconds(exchange);
    JobSpec spec = JobJson.read(exchange.json(MAX_JOB_BYTES));
    JobIntake.Accepted accepted = acceptAll(exchange, List.of(spec)).getFirst();
    JobId job = accepted.job();
    boolean stale = waitSeconds > 0 && !settling.await(job, waitSeconds);
    exchange.response().putHeader("Location", "/api/v1/jobs/" + job);
    JobView view = stale || !accepted.fresh() ? views.require(job) : views.accepted(job);
    exchange.json(accepted.fresh() ? 201 : 200, view.withWarnings(accepted.warnings()));
  }

  private void submitAll(Exchange exchange) throws IOException, InterruptedException {
    JsonFields fields = JsonFields.of(exchange.json(MAX_JOB_BYTES), "", Set.of("jobs"));
    List<JobSpec> specs = fields.list("jobs", MAX_JOBS, JobJson::read);
    if (specs.isEmpty()) {
      throw ApiException.invalid("jobs", "jobs is empty: there is nothing to submit.");
    }
    exchange.json(201, new JobFileRoutes.Submitted(accept(exchange, specs)));
  }

  /** Takes jobs that were read already, all or none, with the checks that hold for every job. */
  public List<JobView> accept(Exchange exchange, List<JobSpec> specs) throws InterruptedException {
    try {
      List<JobView> accepted = new ArrayList<>();
      for (JobIntake.Accepted job : acceptAll(exchange, specs)) {
        accepted.add(views.accepted(job.job()).withWarnings(job.warnings()));
      }
      return accepted;
    } catch (ApiException e) {
      throw specs.size() == 1 ? e.within("jobs[0]", "") : e;
    }
  }

  private List<JobIntake.Accepted> acceptAll(Exchange exchange, List<JobSpec> specs)
      throws InterruptedException {
    String key = requestKey(exchange);
    List<JobIntake.Accepted> jobs =
        intake.accept(exchange.identity(), specs, key, OutcomeRoutes.session(exchange));
    for (JobIntake.Accepted job : jobs) {
      if (!job.fresh() && !reads.spec(job.job()).map(job.spec()::equals).orElse(false)) {
        throw ApiException.of(
            409,
            "key_reused",
            "This Idempotency-Key belongs to job %s, which differs from this one; use a new key."
                .formatted(job.job()),
            "Idempotency-Key");
      }
    }
    return jobs;
  }

  /** By which a request is known again, with its user; empty if it has none. */
  public static String requestKey(Exchange exchange) {
    String key = exchange.header("Idempotency-Key").orElse("");
    if (key.length() > MAX_KEY_CHARS) {
      throw ApiException.invalid(
          "Idempotency-Key", "Idempotency-Key is longer than " + MAX_KEY_CHARS + " characters.");
    }
    return key.isEmpty() ? "" : ownKey(exchange, key);
  }

  /** Keys of different users are different ones. */
  private static String ownKey(Exchange exchange, String key) {
    return exchange.identity().user() + ":" + key;
  }

  // ---------------------------------------------------------------- look

  private void list(Exchange exchange) throws IOException, InterruptedException {
    Optional<String> key = exchange.query("key");
    if (key.isPresent()) {
      List<JobId> found =
          reads.byRequestKey(ownKey(exchange, key.get())).map(JobRecord::id).stream().toList();
      exchange.taggedJson(new JobViews.Page(views.all(found), null, null));
      return;
    }
    int limit = (int) exchange.queryNumber("limit", 50, 1, 1000);
    long before = exchange.queryNumber("before", 0, 1, Long.MAX_VALUE);
    JobFilter filter =
        new JobFilter(
            Choices.parseAll(JobStatus.class, exchange.query("status").orElse(""), "status"),
            exchange.query("name").orElse(null),
            exchange.query("project").orElse(null),
            user(exchange));
    Optional<RankedJobs.Order> ranked = RankedJobs.Order.read(exchange);
    if (ranked.isPresent()) {
      int offset = (int) exchange.queryNumber("cursor", 0, 0, RankedJobs.MAX);
      exchange.taggedJson(RankedJobs.page(views, filter, ranked.get(), offset, limit));
      return;
    }
    Sorting<JobOrder.Key> sorting = Sorting.read(exchange, JobOrder.Key.class, "-id");
    JobOrder order =
        sorting.key() == null ? JobOrder.NEWEST : new JobOrder(sorting.key(), sorting.descending());
    JobOrder.Place after =
        before > 0 && order.equals(JobOrder.NEWEST)
            ? order.parse(Long.toString(before))
            : cursor(exchange, order);
    exchange.taggedJson(views.page(filter, order, after, limit));
  }

  private static JobOrder.@Nullable Place cursor(Exchange exchange, JobOrder order) {
    Optional<String> text = exchange.query("cursor");
    if (text.isEmpty()) {
      return null;
    }
    JobOrder.Place place = order.parse(text.get());
    if (place == null) {
      throw ApiException.invalid("cursor", "This cursor belongs to a page with a different order.");
    }
    return place;
  }

  /** Whose jobs: an admin may choose, others get their own. */
  private static @Nullable String user(Exchange exchange) {
    String only = exchange.identity().onlyUser();
    return only == null ? exchange.query("user").orElse(null) : only;
  }

  private void show(Exchange exchange) throws IOException, InterruptedException {
    JobId id = jobId(exchange);
    settling.await(id, Settling.seconds(exchange));
    exchange.taggedJson(exchange.queryFlag("spec") ? views.requireWithSpec(id) : views.require(id));
  }

  // ---------------------------------------------------------------- steer

  private void act(Exchange exchange, JobCommands.Action action)
      throws IOException, InterruptedException {
    JobId id = jobId(exchange);
    JobView job = views.require(id);
    JsonFields body = JsonFields.of(actionBody(exchange), "", Set.of("from", "to"));
    int from = (int) body.number("from", 1, 1, job.tasks());
    int to = (int) body.number("to", job.tasks(), from, job.tasks());
    int changed = Await.answer(commands.act(action, id, from - 1, to));
    if (action == JobCommands.Action.CANCEL && to - from + 1 == job.tasks()) {
      changed += Await.answer(commands.cancelSpawned(id));
    }
    exchange.json(200, new Changed(changed, views.require(id)));
  }

  private void remove(Exchange exchange) throws IOException, InterruptedException {
    JobId id = jobId(exchange);
    views.require(id);
    boolean dryRun = exchange.queryFlag("dryRun");
    switch (Await.answer(dryRun ? commands.removal(id) : commands.remove(id))) {
      case Removal.Removed removed -> exchange.empty(204);
      case Removal.NotFinished open ->
          throw ApiException.of(
              409,
              "not_finished",
              "Job %s is not finished; wait for it or cancel it.".formatted(id));
      case Removal.NeededBy needed ->
          throw ApiException.of(
              409,
              "needed",
              "Job %s depends on job %s; wait for it or cancel it first."
                  .formatted(needed.job(), id));
    }
  }

  private void prioritise(Exchange exchange) throws IOException, InterruptedException {
    JobId id = jobId(exchange);
    JobView job = views.require(id);
    JsonFields body = JsonFields.of(actionBody(exchange), "", Set.of("priority"));
    int priority = (int) body.number("priority", 0, 9);
    boolean same = job.priority() == priority;
    int changed = same ? 0 : Await.answer(commands.prioritise(id, priority));
    exchange.json(200, new Changed(changed, views.require(id)));
  }

  private static JsonNode actionBody(Exchange exchange) throws IOException {
    return exchange.json(MAX_ACTION_BYTES, Optional.of(Json.MAPPER.createObjectNode()));
  }
}
