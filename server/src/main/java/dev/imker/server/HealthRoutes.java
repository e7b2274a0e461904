package dev.imker.server;

import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Standing;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopHealth;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code /livez}, {@code /readyz} and {@code /healthz}: answered from known state, without asking
 * the scheduler or the database, which may be what does not respond.
 */
record HealthRoutes(SchedulerLoop loop, Standing standing, StoreProbe probe) {
  /** A turn takes milliseconds. One that takes so long does not end. */
  private static final long STUCK_MILLIS = 60_000;

  /** Writing takes milliseconds as well. */
  private static final long SLOW_STORE_MILLIS = 5_000;

  private static final int GOOD = 200;
  private static final int BAD = 503;

  /**
   * @param role {@code leader}, {@code standby}, or {@code none} while no server leads
   * @param problems in words; empty if all is well
   */
  record Health(String status, String role, List<String> problems) {}

  /** What everybody may know. */
  record Sign(String status, String role) {}

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/livez", Access.OPEN, this::live),
        Endpoint.get("/readyz", Access.OPEN, this::ready),
        Endpoint.get("/healthz", Access.KNOWN, this::health));
  }

  /** Whether to leave this process alone; if not, it is to be started again. */
  private void live(Exchange exchange) throws IOException {
    LoopHealth health = loop.health();
    boolean alive = !health.hasFailed() && !health.standsStill(STUCK_MILLIS);
    exchange.json(alive ? GOOD : BAD, new Sign(alive ? "ok" : "failed", role(health)));
  }

  /** Whether to send requests here. */
  private void ready(Exchange exchange) throws IOException {
    LoopHealth health = loop.health();
    String role = role(health);
    boolean asWanted = exchange.query("role").map(role::equals).orElse(true);
    boolean ready = problems(health).isEmpty() && asWanted;
    exchange.json(ready ? GOOD : BAD, new Sign(ready ? "ok" : "unavailable", role));
  }

  private void health(Exchange exchange) throws IOException {
    LoopHealth health = loop.health();
    List<String> problems = problems(health);
    exchange.json(
        problems.isEmpty() ? GOOD : BAD,
        new Health(problems.isEmpty() ? "ok" : "unavailable", role(health), problems));
  }

  private String role(LoopHealth health) {
    if (health.leading() && standing.leads()) {
      return "leader";
    }
    return standing.leader().isPresent() ? "standby" : "none";
  }

  private List<String> problems(LoopHealth health) {
    List<String> problems = new ArrayList<>();
    if (health.hasFailed()) {
      problems.add("The scheduler has failed; restart this server.");
    }
    if (health.standsStill(SLOW_STORE_MILLIS)) {
      problems.add(
          "The scheduler has been stuck in one turn for %,d ms.".formatted(health.busyMillis()));
    }
    if (!health.unwritable().isEmpty()) {
      problems.add(health.unwritable());
    }
    if (health.leading() && health.waitingMillis() > SLOW_STORE_MILLIS) {
      problems.add("A transaction has been pending for %,d ms.".formatted(health.waitingMillis()));
    }
    if (probe.awayMillis() > 0) {
      problems.add("The database has not answered for %,d ms.".formatted(probe.awayMillis()));
    }
    if (!health.hasFailed() && role(health).equals("none")) {
      problems.add("No server leads the pool.");
    }
    return problems;
  }
}
