package dev.imker.server.internal.rest.pool;

import dev.imker.core.message.AgentView;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.CountsView;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/pool}. */
public final class PoolRoutes {
  private record Live(long epoch, long[] tasks, int agents, int slots) {}

  private final SchedulerLoop loop;
  private final Reads reads;
  private final String name;
  private final String version;
  private final Supplier<List<String>> urls;
  private final String files;

  public PoolRoutes(RouteParts parts) {
    this.loop = parts.loop();
    this.reads = parts.reads();
    this.name = parts.poolName();
    this.version = parts.version();
    this.urls = parts.urls();
    this.files = parts.blobs().title();
  }

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/pool", Access.LOOK, this::pool));
  }

  private void pool(Exchange exchange) throws IOException, InterruptedException {
    String user = exchange.identity().onlyUser();
    Live live = Await.answer(loop.ask(pool -> look(pool, user)));
    long[] settled = user == null ? reads.settledTaskCounts() : reads.settledTaskCounts(user);
    for (int i = 0; i < settled.length; i++) {
      settled[i] += live.tasks[i];
    }
    exchange.json(
        200,
        new PoolView(
            name,
            version,
            live.epoch,
            CountsView.of(settled),
            live.agents,
            live.slots,
            urls.get(),
            user == null ? files : ""));
  }

  private static Live look(PoolState pool, @Nullable String user) {
    List<AgentView> connected =
        pool.scheduler().view().agents().stream().filter(AgentView::connected).toList();
    int slots = connected.stream().mapToInt(AgentView::slots).sum();
    long[] open = user == null ? pool.openTaskCounts() : pool.openTaskCounts(user);
    return new Live(pool.epoch(), open, connected.size(), slots);
  }
}
