package dev.imker.server.internal.rest.nodes;

import dev.imker.model.AgentId;
import dev.imker.model.attest.Ed25519;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.loop.SchedulerLoop;
import java.io.IOException;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** {@code /api/v1/agents}: the keys of all agents that ever joined. */
public final class AgentKeyRoutes {
  record KeyView(
      String agent,
      String name,
      String node,
      String fingerprint,
      String nodeFingerprint,
      String join,
      String joined,
      boolean revoked) {
    static KeyView of(AgentKeys.Entry entry) {
      return new KeyView(
          entry.agent(),
          entry.name(),
          entry.node(),
          entry.fingerprint(),
          Ed25519.fingerprint(Base64.getDecoder().decode(entry.nodeKey())),
          entry.join(),
          Times.iso(entry.joinedMillis()),
          entry.revoked());
    }
  }

  /** All of them, or those that something was done to. */
  record Keys(List<KeyView> agents) {
    static Keys of(List<AgentKeys.Entry> entries) {
      return new Keys(
          entries.stream()
              .sorted(
                  Comparator.comparing(AgentKeys.Entry::name).thenComparing(AgentKeys.Entry::agent))
              .map(KeyView::of)
              .toList());
    }
  }

  private final SchedulerLoop loop;
  private final NodeCommands commands;
  private final AgentGateway gateway;

  public AgentKeyRoutes(SchedulerLoop loop, AgentGateway gateway) {
    this.loop = loop;
    this.commands = new NodeCommands(loop);
    this.gateway = gateway;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/agents", Access.ADMIN, this::list),
        Endpoint.post("/api/v1/agents/{agent}/revoke", Access.ADMIN, this::revoke),
        Endpoint.post("/api/v1/agents/{agent}/readmit", Access.ADMIN, this::readmit));
  }

  private void list(Exchange exchange) throws IOException, InterruptedException {
    exchange.json(200, Keys.of(Await.answer(loop.ask(pool -> pool.agents().keys().all()))));
  }

  private void revoke(Exchange exchange) throws IOException, InterruptedException {
    act(exchange, commands::revoke, "An admin revoked the key of this agent.");
  }

  private void readmit(Exchange exchange) throws IOException, InterruptedException {
    act(exchange, commands::readmit, "An admin readmitted this agent.");
  }

  private void act(
      Exchange exchange,
      Function<String, CompletableFuture<List<AgentKeys.Entry>>> action,
      String reason)
      throws IOException, InterruptedException {
    String wanted = exchange.param("agent");
    List<AgentKeys.Entry> hit = Await.answer(action.apply(wanted));
    if (hit.isEmpty()) {
      throw ApiException.notFound(
          "There is no agent or node '" + wanted + "'; 'imker nodes keys' lists all.");
    }
    hit.forEach(entry -> gateway.hangUp(new AgentId(entry.agent()), reason));
    exchange.json(200, Keys.of(hit));
  }
}
