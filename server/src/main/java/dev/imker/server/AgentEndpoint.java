package dev.imker.server;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.internal.auth.Identity;
import dev.imker.wire.connect.Acceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The endpoint for agents. */
final class AgentEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(AgentEndpoint.class);

  private AgentEndpoint() {}

  static Endpoint of(Acceptor acceptor) {
    return Endpoint.upgrade(
        "/api/v1/agent",
        Access.JOIN,
        exchange -> {
          if (!exchange.request().canUpgradeToWebSocket()) {
            throw ApiException.of(426, "upgrade_required", "Agents connect here with a WebSocket.");
          }
          Identity credential = exchange.identity();
          String peer = "agent at " + exchange.request().remoteAddress().hostAddress();
          exchange
              .request()
              .toWebSocket()
              .onSuccess(socket -> acceptor.accept(socket, peer, credential))
              .onFailure(
                  cause ->
                      LOG.debug("{}: WebSocket handshake failed: {}", peer, cause.getMessage()));
        });
  }
}
