package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.http.OwnWork;
import dev.imker.server.internal.rest.changes.OutcomeFeed;
import dev.imker.server.internal.rest.changes.OutcomeFeeds;
import dev.imker.server.internal.rest.changes.OutcomeView;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How tasks ended, for programs: {@code /api/v1/outcomes} as it happens, {@code
 * /api/v1/jobs/ID/outcomes} what has happened so far.
 */
public record OutcomeRoutes(OutcomeFeeds feeds, JobViews views, Reads reads, LongSupplier epoch) {
  private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9-]{8,64}");
  private static final long HEART_BEAT_MILLIS = 10_000;

  /** Changes of a job are told at most ten times a second, but at once when it has settled. */
  private static final long PAUSE_MILLIS = 100;

  private static final Set<TaskState> SETTLED =
      Arrays.stream(TaskState.values()).filter(TaskState::isSettled).collect(Collectors.toSet());

  /** A page; {@code next} is the number of the task where the following one begins. */
  public record Page(List<OutcomeView> outcomes, @Nullable Integer next) {}

  /** Whoever has heard of a later one knows that this server does not lead any more. */
  record Epoch(long epoch) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/outcomes", Access.LOOK, this::follow),
        Endpoint.get("/api/v1/jobs/{id}/outcomes", Access.LOOK, this::list));
  }

  /** The session that a submission or a subscription names; empty if it names none. */
  static String session(Exchange exchange) {
    String name = exchange.query("session").orElse("");
    if (!name.isEmpty() && !SESSION.matcher(name).matches()) {
      throw ApiException.invalid("session", "session has 8 to 64 letters, digits and '-'.");
    }
    return name;
  }

  private void follow(Exchange exchange) throws IOException, InterruptedException {
    String session = session(exchange);
    long job = exchange.queryNumber("job", 0, 1, Long.MAX_VALUE);
    if (session.isEmpty() == (job == 0)) {
      throw ApiException.invalid(
          "session", "Name the outcomes: session=NAME that jobs were submitted with, or job=ID.");
    }
    if (job != 0) {
      followJob(exchange, new JobId(job));
      return;
    }
    try (OutcomeFeeds.Following following = feeds.ofSession(exchange.identity().user(), session)) {
      exchange.startLiveStream("text/event-stream");
      exchange.write(event("open", new Epoch(epoch.getAsLong())));
      while (!exchange.isGone()) {
        OutcomeFeed.Batch batch = following.feed().take(HEART_BEAT_MILLIS);
        exchange.write(events(batch));
      }
      exchange.end();
    }
  }

  /** As a session's, without what tasks wrote, but with the job whenever it has changed. */
  private void followJob(Exchange exchange, JobId job) throws IOException, InterruptedException {
    new OwnWork(reads).require(exchange, job);
    try (OutcomeFeeds.Following following = feeds.ofJob(job)) {
      JobView view = views.require(job);
      exchange.startLiveStream("text/event-stream");
      exchange.write(event("open", new Epoch(epoch.getAsLong())));
      exchange.write(event("job", view));
      boolean over = view.hasSettled();
      while (!over && !exchange.isGone()) {
        OutcomeFeed.Batch batch = following.feed().take(HEART_BEAT_MILLIS);
        exchange.write(events(batch));
        if (batch.changed() || batch.settled()) {
          List<JobView> now = views.all(List.of(job));
          if (!now.isEmpty()) {
            exchange.write(event("job", now.getFirst()));
          }
          over = now.isEmpty() || (batch.settled() && now.getFirst().hasSettled());
        }
        following.feed().pause(PAUSE_MILLIS);
      }
      exchange.end();
    }
  }

  private byte[] events(OutcomeFeed.Batch batch) {
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    if (!batch.outcomes().isEmpty()) {
      events.writeBytes(event("outcomes", batch.outcomes()));
    }
    if (batch.missed()) {
      events.writeBytes(event("missed", Map.of()));
    }
    return events.size() > 0 ? events.toByteArray() : event("alive", new Epoch(epoch.getAsLong()));
  }

  private static byte[] event(String name, Object data) {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
    event.writeBytes(Json.bytes(data));
    event.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    return event.toByteArray();
  }

  private void list(Exchange exchange) throws IOException {
    JobId job = JobRoutes.jobId(exchange);
    int tasks = reads.job(job).orElseThrow(() -> JobViews.unknown(job)).taskCount();
    int from = (int) exchange.queryNumber("from", 1, 1, Integer.MAX_VALUE);
    int limit = (int) exchange.queryNumber("limit", 1_000, 1, 10_000);
    List<OutcomeView> outcomes = new ArrayList<>();
    List<TaskRecord> rows =
        from > tasks ? List.of() : reads.tasks(new TaskQuery(job, SETTLED, from - 1, limit, true));
    for (TaskRecord row : rows) {
      AttemptReport report = row.last() == null ? null : row.last().report();
      outcomes.add(
          OutcomeFeeds.of(
              null,
              job,
              row.id().index() + 1,
              row.state(),
              report == null ? CapturedOutput.NONE : report.stdout(),
              report == null ? "" : report.error()));
    }
    boolean more = rows.size() == limit;
    exchange.json(200, new Page(outcomes, more ? rows.getLast().id().index() + 2 : null));
  }
}
