package dev.imker.server.internal.rest.pool;

import dev.imker.server.commands.Await;
import dev.imker.server.history.HistoryReader;
import dev.imker.server.history.HistoryView;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.Reads;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/history}: what the simulator needs to replay the pool, or a user's part of it. */
public record HistoryRoutes(SchedulerLoop loop, Reads reads, String poolName) {
  private static final int USUAL_DAYS = 28;
  private static final int MAX_DAYS = 180;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/api/v1/history", Access.LOOK, exchange -> exchange.json(200, history(exchange))));
  }

  private HistoryView history(Exchange exchange) throws InterruptedException {
    long days = exchange.queryNumber("days", USUAL_DAYS, 1, MAX_DAYS);
    String strategy = Await.answer(loop.ask(PoolState::strategy));
    Map<String, Double> resources = Await.answer(loop.ask(pool -> pool.resources().all()));
    long nowMillis = Await.answer(loop.askAt((pool, now) -> now));
    long sinceMillis = nowMillis - Duration.ofDays(days).toMillis();
    return HistoryReader.of(reads, exchange.identity().onlyUser())
        .read(poolName, strategy, loop.leaseMillis(), resources, sinceMillis, nowMillis);
  }
}
