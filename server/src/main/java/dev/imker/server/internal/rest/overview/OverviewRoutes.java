package dev.imker.server.internal.rest.overview;

import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Identity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** {@code /api/v1/overview}: what the pool is doing, and what needs somebody. */
public record OverviewRoutes(Pulse pulse, AttentionFinder desk) {
  private static final long PATIENCE_MILLIS = 10_000;

  /**
   * What is going on.
   *
   * @param beats the last half hour, or what is new since the last event
   * @param uses work that is there, by project; an admin sees all, others their own
   * @param others tasks of users whose work the caller may not see: how many run
   */
  public record Overview(
      long everyMillis,
      List<Pulse.Beat> beats,
      List<Pulse.Use> uses,
      long others,
      List<Attention> attention) {}

  /** How much of each amount was taken, and how much was done, oldest first. */
  public record Utilisation(List<PulseSpan> spans) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/overview", Access.LOOK, this::overview),
        Endpoint.get(
            "/api/v1/figures/utilisation",
            Access.LOOK,
            exchange -> exchange.json(200, new Utilisation(pulse.last(hours(exchange))))));
  }

  private static int hours(Exchange exchange) {
    return (int) exchange.queryNumber("hours", 24, 1, PulseHistory.MAX_HOURS);
  }

  private void overview(Exchange exchange) throws IOException, InterruptedException {
    if (exchange.queryFlag("follow")) {
      follow(exchange);
    } else {
      exchange.json(200, view(exchange.identity(), pulse.beats()));
    }
  }

  /** A slow reader gets several beats at once, later; nothing piles up here. */
  private void follow(Exchange exchange) throws IOException, InterruptedException {
    exchange.startLiveStream("text/event-stream");
    long known = pulse.count();
    exchange.write(event("overview", view(exchange.identity(), pulse.beats())));
    while (!exchange.isGone()) {
      if (pulse.await(known, PATIENCE_MILLIS)) {
        List<Pulse.Beat> fresh = pulse.since(known);
        known = pulse.count();
        exchange.write(event("beat", view(exchange.identity(), fresh)));
      } else {
        exchange.write(EventRoutes.heartBeat(pulse.epoch()));
      }
    }
  }

  private Overview view(Identity caller, List<Pulse.Beat> beats) throws InterruptedException {
    List<Pulse.Use> uses = pulse.uses();
    return new Overview(
        Pulse.EVERY.toMillis(),
        beats,
        uses.stream().filter(use -> caller.maySee(use.user())).toList(),
        uses.stream().filter(use -> !caller.maySee(use.user())).mapToLong(Pulse.Use::running).sum(),
        desk.found().stream()
            .filter(item -> item.user() == null || caller.maySee(item.user()))
            .toList());
  }

  private static byte[] event(String name, Overview view) {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
    event.writeBytes(Json.bytes(view));
    event.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
    return event.toByteArray();
  }
}
