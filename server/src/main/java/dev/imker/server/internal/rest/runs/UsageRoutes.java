package dev.imker.server.internal.rest.runs;

import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.nodes.NodeRoutes;
import dev.imker.server.internal.rest.tasks.TaskRoutes;
import dev.imker.server.usage.UsageHistory;
import dev.imker.server.usage.UsageSeries;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.List;

/** {@code /api/v1/tasks/JOB.N/usage} and {@code /api/v1/nodes/NODE/usage}. */
public record UsageRoutes(Reads reads, NodeRoutes nodes, UsageHistory usage) {
  /**
   * What was used over time, the oldest first.
   *
   * @param points of a task only while it is remembered, and only if it runs for long enough
   */
  public record View(List<UsageSeries.Point> points) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/tasks/{task}/usage", Access.LOOK, this::ofTask),
        Endpoint.get("/api/v1/nodes/{node}/usage", Access.LOOK, this::ofNode));
  }

  private void ofTask(Exchange exchange) throws IOException {
    TaskId task = TaskRoutes.taskId(exchange);
    TaskRoutes.requireTask(reads, task);
    exchange.json(200, new View(usage.ofTask(task)));
  }

  private void ofNode(Exchange exchange) throws IOException, InterruptedException {
    NodeId node = new NodeId(nodes.find(exchange.param("node")).id());
    exchange.json(200, new View(usage.ofNode(node)));
  }
}
