package dev.imker.server.internal.rest.pool;

import dev.imker.model.ImkerException;
import dev.imker.server.commands.Await;
import dev.imker.server.history.HistoryReader;
import dev.imker.server.history.HistoryView;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.simulation.PoolSimulator;
import dev.imker.store.Reads;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.Semaphore;

/** {@code /api/v1/simulations}: the scheduler against a pool that is only described. */
public final class SimulationRoutes {
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final int MAX_STRATEGIES = 6;
  private static final int MAX_SEEDS = 20;
  private static final int USUAL_SEEDS = 3;
  private static final long MAX_DAYS = 180;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final SchedulerLoop loop;
  private final Reads reads;
  private final String poolName;

  /** A simulation takes a whole processor: one at a time leaves the others to the pool. */
  private final Semaphore one = new Semaphore(1);

  public SimulationRoutes(SchedulerLoop loop, Reads reads, String poolName) {
    this.loop = loop;
    this.reads = reads;
    this.poolName = poolName;
  }

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/simulations", Access.WORK, this::simulate));
  }

  private void simulate(Exchange exchange) throws IOException, InterruptedException {
    PoolSimulator.Order order = order(exchange);
    PoolSimulator chosen =
        ServiceLoader.load(PoolSimulator.class)
            .findFirst()
            .orElseThrow(
                () -> ApiException.of(501, "no_simulator", "This server has no simulator."));
    if (!one.tryAcquire()) {
      throw ApiException.of(
          429, "busy", "Another simulation is running; try again when it is finished.");
    }
    try {
      long end = System.nanoTime() + PATIENCE.toNanos();
      exchange.json(200, chosen.run(order, () -> System.nanoTime() > end || exchange.isGone()));
    } catch (ApiException e) {
      throw e;
    } catch (ImkerException e) {
      throw ApiException.invalid("text", String.valueOf(e.getMessage()));
    } finally {
      one.release();
    }
  }

  private PoolSimulator.Order order(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES),
            "",
            Set.of("format", "text", "historyDays", "strategies", "seeds"));
    List<String> strategies = body.texts("strategies", MAX_STRATEGIES);
    if (strategies.isEmpty()) {
      throw ApiException.invalid("strategies", "Name at least one strategy.");
    }
    int seeds = (int) body.number("seeds", USUAL_SEEDS, 1, MAX_SEEDS);
    long days = body.number("historyDays", 0, 0, MAX_DAYS);
    String format = body.text("format", "yaml");
    if (!format.equals("yaml") && !format.equals("xml")) {
      throw ApiException.invalid("format", "format must be yaml or xml.");
    }
    return days > 0
        ? new PoolSimulator.Order(format, "", history(exchange, days), strategies, seeds)
        : new PoolSimulator.Order(format, body.text("text"), null, strategies, seeds);
  }

  private HistoryView history(Exchange exchange, long days) throws InterruptedException {
    if (exchange.identity().role() != Role.ADMIN) {
      throw ApiException.of(
          403,
          "forbidden",
          "Only an admin may replay the history of the pool, because it lists everyone's"
              + " work.");
    }
    String strategy = Await.answer(loop.ask(PoolState::strategy));
    long now = Await.answer(loop.askAt((pool, nowMillis) -> nowMillis));
    return new HistoryReader(reads)
        .read(
            poolName,
            strategy,
            loop.leaseMillis(),
            Await.answer(loop.ask(pool -> pool.resources().all())),
            now - Duration.ofDays(days).toMillis(),
            now);
  }
}
