package dev.imker.server.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.rest.changes.OutcomeFeed;
import dev.imker.server.rest.changes.OutcomeFeeds;
import dev.imker.server.rest.changes.OutcomeView;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How tasks ended, for programs: {@code /api/v1/outcomes} as it happens, {@code
 * /api/v1/jobs/ID/outcomes} what has happened so far.
 */
public record OutcomeRoutes(OutcomeFeeds feeds, Reads reads, LongSupplier epoch) {
  private static final Pattern SESSION = Pattern.compile("[A-Za-z0-9-]{8,64}");
  private static final long HEART_BEAT_MILLIS = 10_000;
  private static final byte[] HEART_BEAT = ": alive\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MISSED =
      "event: missed\ndata: {}\n\n".getBytes(StandardCharsets.US_ASCII);
  private static final Set<TaskState> SETTLED =
      Arrays.stream(TaskState.values()).filter(TaskState::isSettled).collect(Collectors.toSet());

  /** A page; {@code next} is the number of the task where the following one begins. */
  public record Page(List<OutcomeView> outcomes, @Nullable Integer next) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/outcomes", Access.LOOK, this::follow),
        Endpoint.get("/api/v1/jobs/{id}/outcomes", Access.LOOK, this::list));
  }

  private void follow(Exchange exchange) throws IOException, InterruptedException {
    String name = exchange.query("session").orElse("");
    if (!SESSION.matcher(name).matches()) {
      throw ApiException.invalid(
          "session",
          "session has 8 to 64 letters, digits and -; it hears of the jobs submitted with an"
              + " Idempotency-Key that begins with it and a slash.");
    }
    String session = exchange.identity().user() + ":" + name;
    OutcomeFeed feed = feeds.subscribe(session);
    try {
      exchange.startLiveStream("text/event-stream");
      exchange.write(opening(epoch.getAsLong()));
      while (!exchange.isGone()) {
        OutcomeFeed.Batch batch = feed.take(HEART_BEAT_MILLIS);
        exchange.write(events(batch));
      }
      exchange.end();
    } finally {
      feeds.unsubscribe(session, feed);
    }
  }

  private static byte[] opening(long epoch) {
    return ("event: open\ndata: {\"epoch\":" + epoch + "}\n\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] events(OutcomeFeed.Batch batch) {
    if (batch.outcomes().isEmpty()) {
      return batch.missed() ? MISSED : HEART_BEAT;
    }
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    events.writeBytes("event: outcomes\ndata: ".getBytes(StandardCharsets.US_ASCII));
    events.writeBytes(Json.bytes(batch.outcomes()));
    events.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    if (batch.missed()) {
      events.writeBytes(MISSED);
    }
    return events.toByteArray();
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
