package dev.imker.cli;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.nio.file.Path;
import java.util.Map;

/** A server and an agent inside this process, on any free port. */
record TrainingPool(RunningServer server, RunningAgent agent) implements AutoCloseable {
  static TrainingPool start(Path folder, boolean tls) {
    ServerSettings settings = ServerSettings.of(folder.resolve("data")).withPort(0);
    RunningServer server = ImkerServer.start(tls ? settings.withTls() : settings);
    JoinToken join = JoinToken.parse(server.joinToken());
    return new TrainingPool(
        server, ImkerAgent.start(AgentSettings.of(join, folder.resolve("agent"))));
  }

  String url() {
    return server.address().toString();
  }

  String token() {
    return server.adminToken();
  }

  /** What commands of another process need to find it, as variables of their environment. */
  Map<String, String> environment() {
    return Map.of(
        "IMKER_URL",
        url(),
        "IMKER_TOKEN",
        token(),
        "IMKER_FINGERPRINT",
        JoinToken.parse(server.joinToken()).fingerprint());
  }

  @Override
  public void close() {
    agent.close();
    server.close();
  }
}
