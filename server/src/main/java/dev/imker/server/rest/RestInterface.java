package dev.imker.server.rest;

import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.http.Endpoint;
import dev.imker.server.loop.BulkCommands;
import dev.imker.server.loop.JobCommands;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.StrategySetting;
import dev.imker.store.BlobStore;
import dev.imker.store.Reads;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All routes of the REST interface. */
public final class RestInterface {
  private RestInterface() {}

  /**
   * What the routes work with.
   *
   * @param urls where the server can be reached, once it is known
   */
  public record Parts(
      String poolName,
      String version,
      Supplier<List<String>> urls,
      SchedulerLoop loop,
      Reads reads,
      BlobStore blobs,
      AgentGateway gateway,
      Changes changes,
      PrometheusMeterRegistry registry) {}

  public static List<Endpoint> endpoints(Parts parts) {
    JobViews views = new JobViews(parts.loop, parts.reads);
    NodeDirectory directory = new NodeDirectory(parts.reads);
    NodeRoutes nodes = new NodeRoutes(parts.loop, directory);
    JobCommands commands = new JobCommands(parts.loop);
    TaskPages pages = new TaskPages(parts.loop, parts.reads);
    List<Endpoint> all = new ArrayList<>();
    all.addAll(
        new PoolRoutes(parts.loop, parts.reads, parts.poolName, parts.version, parts.urls)
            .endpoints());
    JobRoutes jobs =
        new JobRoutes(
            commands, views, parts.reads, parts.blobs, new Settling(parts.changes, parts.reads));
    all.addAll(jobs.endpoints());
    all.addAll(new JobFileRoutes(parts.blobs, jobs::accept).endpoints());
    all.addAll(new BulkRoutes(commands, new BulkCommands(parts.loop), parts.reads).endpoints());
    all.addAll(new LimitRoutes(commands, views).endpoints());
    all.addAll(new TaskRoutes(pages, directory, parts.reads).endpoints());
    all.addAll(new OutputRoutes(parts.reads, parts.blobs, parts.gateway).endpoints());
    all.addAll(new SelectRoutes(new Selections(parts.reads)).endpoints());
    all.addAll(nodes.endpoints());
    all.addAll(new ProjectRoutes(parts.loop).endpoints());
    all.addAll(new HistoryRoutes(parts.loop, parts.reads, parts.poolName).endpoints());
    all.addAll(new ExplainRoutes(parts.loop, parts.reads, directory, nodes).endpoints());
    all.addAll(new StrategyRoutes(new StrategySetting(parts.loop)).endpoints());
    all.addAll(new BlobRoutes(parts.blobs).endpoints());
    all.addAll(new EventRoutes(parts.changes, views, nodes).endpoints());
    all.addAll(new OutcomeRoutes(parts.changes.outcomes(), parts.reads).endpoints());
    all.addAll(new SystemRoutes(parts.registry).endpoints());
    return all;
  }
}
