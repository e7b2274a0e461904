package dev.imker.server.internal.rest.overview;

import dev.imker.model.JobId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.http.OwnWork;
import dev.imker.server.internal.rest.changes.Changes;
import dev.imker.server.internal.rest.changes.OwnJobs;
import dev.imker.server.internal.rest.changes.Subscription;
import dev.imker.server.internal.rest.jobs.JobView;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeRoutes;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.store.Reads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongSupplier;

/** {@code /api/v1/events}: server-sent events of what changes. */
public record EventRoutes(
    Changes changes,
    JobViews views,
    NodeRoutes nodes,
    OwnWork ownWork,
    Reads reads,
    LongSupplier epoch) {
  private static final long HEART_BEAT_MILLIS = 10_000;

  /** At most ten batches a second, but what has settled is told at once. */
  private static final long PAUSE_MILLIS = 100;

  private static final int MAX_JOBS = 200;

  /**
   * An event, not a remark: a browser hears only of those that the stream is not dead. Whoever has
   * heard of a later epoch knows that this server does not lead any more.
   */
  static byte[] heartBeat(long epoch) {
    return ("event: alive\ndata: {\"epoch\":" + epoch + "}\n\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What a subscriber hears of nodes. */
  private enum NodeNews {
    /** All of them, whenever one changed. */
    FULL,
    /** Only that one changed; with ten thousand nodes, all of them are much to send. */
    HINT,
    NONE;

    static NodeNews of(Exchange exchange) {
      return Choices.parse(NodeNews.class, exchange.query("nodes").orElse("full"), "nodes");
    }
  }

  /** Nothing but that there is news. */
  record Hint(boolean changed) {}

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/events", Access.LOOK, this::events));
  }

  private void events(Exchange exchange) throws IOException, InterruptedException {
    long job = exchange.queryNumber("job", 0, 1, Long.MAX_VALUE);
    NodeNews nodeNews = NodeNews.of(exchange);
    List<JobId> only = job == 0 ? List.of() : List.of(new JobId(job));
    only.forEach(id -> ownWork.require(exchange, id));
    Subscription subscription = changes.subscribe(only);
    try {
      if (only.isEmpty()) {
        start(exchange);
        send(exchange, List.of(), nodeNews);
        stream(exchange, subscription, false, nodeNews);
      } else {
        JobView first = views.require(only.getFirst());
        start(exchange);
        send(exchange, List.of(first), NodeNews.NONE);
        if (!first.hasSettled()) {
          stream(exchange, subscription, true, NodeNews.NONE);
        }
      }
      exchange.end();
    } finally {
      changes.unsubscribe(subscription);
    }
  }

  private void start(Exchange exchange) throws IOException {
    exchange.startLiveStream("text/event-stream");
    exchange.write(heartBeat(epoch.getAsLong()));
  }

  private void stream(
      Exchange exchange, Subscription subscription, boolean untilSettled, NodeNews nodeNews)
      throws IOException, InterruptedException {
    OwnJobs own = new OwnJobs(exchange.identity(), reads);
    while (!exchange.isGone()) {
      Subscription.Batch batch = subscription.take(HEART_BEAT_MILLIS, MAX_JOBS);
      if (batch.jobs().isEmpty() && !batch.nodes()) {
        exchange.write(heartBeat(epoch.getAsLong()));
        continue;
      }
      List<JobView> jobs = views.all(own.among(batch.jobs()));
      send(exchange, jobs, batch.nodes() ? nodeNews : NodeNews.NONE);
      if (untilSettled && jobs.stream().anyMatch(JobView::hasSettled)) {
        return;
      }
      subscription.pause(PAUSE_MILLIS);
    }
  }

  private void send(Exchange exchange, List<JobView> jobs, NodeNews nodeNews)
      throws IOException, InterruptedException {
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    for (JobView job : jobs) {
      append(events, "job", job);
    }
    switch (nodeNews) {
      case FULL -> append(events, "nodes", nodes.all());
      case HINT -> append(events, "nodes", new Hint(true));
      case NONE -> {}
    }
    exchange.write(events.size() == 0 ? heartBeat(epoch.getAsLong()) : events.toByteArray());
  }

  private static void append(ByteArrayOutputStream events, String name, Object data) {
    events.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
    events.writeBytes(Json.bytes(data));
    events.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
  }
}
