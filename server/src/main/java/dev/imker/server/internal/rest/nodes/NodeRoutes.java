package dev.imker.server.internal.rest.nodes;

import dev.imker.core.message.AgentView;
import dev.imker.core.message.AmountView;
import dev.imker.core.message.NodeTerms;
import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.NodeRecord;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/nodes}: machines and their agents. */
public record NodeRoutes(SchedulerLoop loop, NodeDirectory directory) {
  public record Nodes(List<NodeView> nodes) {}

  private record Live(
      Map<AgentId, AgentView> agents,
      Map<NodeId, ProfileView> profiles,
      Map<NodeId, NodeTerms> terms,
      Map<NodeId, SortedMap<String, AmountView>> amounts,
      NodeDirectory.Edition edition) {}

  private static final int MAX_BYTES = 1000;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/nodes", Access.LOOK, exchange -> exchange.json(200, all())),
        Endpoint.get("/api/v1/nodes/{node}", Access.LOOK, this::show),
        Endpoint.delete("/api/v1/nodes/{node}", Access.ADMIN, this::forget),
        Endpoint.put("/api/v1/nodes/{node}/trust", Access.ADMIN, this::trust));
  }

  public Nodes all() throws InterruptedException {
    Live live = Await.answer(loop.askAt(NodeRoutes::look));
    return new Nodes(
        directory.nodesAt(live.edition).stream().map(node -> view(node, live)).toList());
  }

  private static Live look(PoolState pool, long nowMillis) {
    return new Live(
        pool.scheduler().view().agents().stream()
            .collect(Collectors.toMap(AgentView::agent, Function.identity())),
        ProfileView.all(pool.scheduler().profiles(), nowMillis),
        pool.agents().terms().all(),
        pool.scheduler().view().amounts(),
        NodeDirectory.Edition.of(pool));
  }

  private void show(Exchange exchange) throws IOException, InterruptedException {
    exchange.json(200, find(exchange.param("node")));
  }

  /** Its history, its key and the terms on which it is used stay. */
  private void forget(Exchange exchange) throws IOException, InterruptedException {
    NodeView node = find(exchange.param("node"));
    if (node.connected()) {
      throw ApiException.of(
          409,
          "connected",
          "Node %s is connected; stop its agent first, or revoke its key with 'imker nodes revoke'."
              .formatted(node.name()));
    }
    directory.forget(new NodeId(node.id()), Await.answer(loop.askAt((pool, millis) -> millis)));
    exchange.empty(204);
  }

  private void trust(Exchange exchange) throws IOException, InterruptedException {
    NodeView node = find(exchange.param("node"));
    JsonFields body = JsonFields.of(exchange.json(MAX_BYTES), "", Set.of("level"));
    int level = (int) body.number("level", 0, 9);
    int agents = Await.answer(new NodeCommands(loop).trust(new NodeId(node.id()), level));
    if (agents == 0 && level > 0) {
      throw ApiException.of(
          409,
          "no_key",
          "Node %s has presented no key since the server started: trust is granted to the key of its"
                  .formatted(node.name())
              + " agent, so start that first.");
    }
    exchange.json(200, find(node.id()));
  }

  /** By the id of the node, its host name, or the name of an agent on it. */
  public NodeView find(String wanted) throws InterruptedException {
    Live live = Await.answer(loop.askAt(NodeRoutes::look));
    List<NodeRecord> nodes = directory.nodesAt(live.edition);
    return nodes.stream()
        .filter(node -> node.id().value().equals(wanted))
        .findFirst()
        .or(() -> named(nodes, wanted, live))
        .map(node -> view(node, live))
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "There is no node '" + wanted + "'; 'imker nodes' lists all."));
  }

  /** A machine that is connected rather than one of the same name that was here long ago. */
  private static Optional<NodeRecord> named(List<NodeRecord> nodes, String name, Live live) {
    List<NodeRecord> all = nodes.stream().filter(node -> isNamed(node, name)).toList();
    List<NodeRecord> connected = all.stream().filter(node -> isConnected(node, live)).toList();
    if (connected.size() > 1) {
      throw ApiException.of(
          409,
          "ambiguous",
          "%d connected machines are called '%s'; name one by its id: %s."
              .formatted(
                  connected.size(),
                  name,
                  String.join(", ", connected.stream().map(node -> node.id().value()).toList())));
    }
    return (connected.isEmpty() ? all : connected)
        .stream().max(Comparator.comparingLong(NodeRoutes::seenMillis));
  }

  private static boolean isConnected(NodeRecord node, Live live) {
    return node.agents().stream()
        .map(agent -> live.agents.get(agent.id()))
        .anyMatch(agent -> agent != null && agent.connected());
  }

  private static long seenMillis(NodeRecord node) {
    return node.agents().stream().mapToLong(NodeRecord.Agent::seenMillis).max().orElse(0);
  }

  private static boolean isNamed(NodeRecord node, String name) {
    return NodeNames.name(node).equals(name)
        || node.agents().stream().anyMatch(agent -> agent.name().equals(name));
  }

  private static NodeView view(NodeRecord node, Live live) {
    List<NodeView.Agent> agents =
        node.agents().stream().map(agent -> view(agent, live.agents.get(agent.id()))).toList();
    return new NodeView(
        node.id().value(),
        NodeNames.name(node),
        agents.stream().anyMatch(NodeView.Agent::connected),
        agents.stream().filter(NodeView.Agent::connected).mapToInt(NodeView.Agent::slots).sum(),
        agents.stream().mapToInt(NodeView.Agent::running).sum(),
        node.agents().getLast().platform(),
        Amount.all(live.amounts.getOrDefault(node.id(), new TreeMap<>())),
        agents,
        NodeTermsView.of(live.terms.getOrDefault(node.id(), NodeTerms.NONE)),
        live.profiles.get(node.id()));
  }

  private static NodeView.Agent view(NodeRecord.Agent agent, @Nullable AgentView live) {
    return new NodeView.Agent(
        agent.id().value(),
        agent.name(),
        agent.version(),
        agent.slots(),
        live == null ? 0 : live.running(),
        live == null ? 0 : live.inAdvance(),
        live != null && live.connected(),
        live != null && live.draining(),
        live == null ? "" : live.pause(),
        live == null ? 0 : live.trust(),
        live == null || !live.connected() ? "" : sandbox(live),
        Times.iso(agent.seenMillis()));
  }

  /** Whether tasks are shut in, and whom it takes if not. */
  private static String sandbox(AgentView agent) {
    NodeTerms.Order allowed = agent.terms().unsandboxed();
    if (agent.offer().sandboxed()) {
      return "on";
    }
    if (allowed != null) {
      return "off, allowed " + allowed.inWords();
    }
    return "off, tasks of admins only";
  }
}
