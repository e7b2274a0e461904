package dev.imker.server.internal.rest.nodes;

import dev.imker.model.NodeId;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.RunRecord;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Nodes in figures, and the life of one. */
public record NodeInsightRoutes(NodeRoutes nodes, Reads reads, Clock clock) {
  private static final int JOBS_LOOKED_AT = 40;
  private static final int RUNS_OF_A_JOB = 500;
  private static final int MAX_RUNS = 200;
  private static final long USUAL_DAYS = 30;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/api/v1/figures/nodes",
            Access.LOOK,
            exchange ->
                exchange.json(
                    200, NodeFigures.of(nodes.all().nodes(), NodeSelection.read(exchange)))),
        Endpoint.get(
            "/api/v1/figures/spread",
            Access.LOOK,
            exchange -> exchange.json(200, NodeSpread.of(nodes.all().nodes()))),
        Endpoint.get("/api/v1/nodes/{node}/history", Access.LOOK, this::history));
  }

  private void history(Exchange exchange) throws IOException, InterruptedException {
    NodeId node = new NodeId(nodes.find(exchange.param("node")).id());
    long days = exchange.queryNumber("days", USUAL_DAYS, 1, 3650);
    long now = clock.millis();
    List<NodeHistory.Span> up =
        NodeHistory.spans(reads.availability(now - Duration.ofDays(days).toMillis()), node);
    exchange.json(
        200, new NodeHistory(up, runs(node, exchange.identity()), NodeHistory.survival(up, now)));
  }

  private List<NodeHistory.Run> runs(NodeId node, Identity caller) {
    JobFilter visible = new JobFilter(Set.of(), null, null, caller.onlyUser());
    List<NodeHistory.Run> runs = new ArrayList<>();
    for (JobRecord job : reads.jobs(visible, null, JOBS_LOOKED_AT)) {
      for (RunRecord run : reads.runs(job.id(), RUNS_OF_A_JOB)) {
        if (run.node().equals(node) && runs.size() < MAX_RUNS) {
          runs.add(
              new NodeHistory.Run(
                  run.task().toString(), job.name(), run.state().name(), run.runMillis()));
        }
      }
    }
    return runs;
  }
}
