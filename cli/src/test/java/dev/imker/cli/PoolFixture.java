package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A pool of real processes in a temporary folder: one server, any number of agents. */
public final class PoolFixture implements AutoCloseable {
  private final Path folder;
  private final List<String> serverOptions;
  private final List<ImkerProcess> agents = new ArrayList<>();
  private ImkerProcess server;

  /** 0, any free one, until the server has said which it has; it keeps that from then on. */
  private int port;

  private PoolFixture(Path folder, List<String> serverOptions) {
    this.folder = folder;
    this.serverOptions = serverOptions;
    this.server = launchServer(Map.of());
  }

  public static PoolFixture start(Path folder, String... serverOptions) {
    PoolFixture pool = new PoolFixture(folder, List.of(serverOptions));
    pool.awaitServer();
    pool.port = URI.create(pool.announcement().path("url").asText()).getPort();
    return pool;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Path home() {
    return folder.resolve("home");
  }

  int port() {
    return port;
  }

  public ImkerProcess.Finished imker(String... arguments) {
    return ImkerProcess.run(home(), arguments);
  }

  JsonNode imkerJson(String... arguments) {
    String[] all = withJson(arguments);
    ImkerProcess.Finished finished = imker(all);
    assertThat(finished.exitCode()).as(Arrays.toString(all) + finished.err()).isLessThan(2);
    return json(finished.out());
  }

  ImkerProcess startCommand(String... arguments) {
    return ImkerProcess.start(home(), Map.of(), arguments);
  }

  public ImkerProcess addAgent(String name, int slots) {
    return addAgent(name, slots, Map.of());
  }

  ImkerProcess addAgent(String name, int slots, Map<String, String> environment) {
    withoutSandbox(folder.resolve("agent-" + name));
    return launchAgent(name, slots, environment);
  }

  /** One as it comes: with a sandbox, where the system has one. */
  ImkerProcess addUsualAgent(String name, int slots) {
    return launchAgent(name, slots, Map.of());
  }

  private ImkerProcess launchAgent(String name, int slots, Map<String, String> environment) {
    ImkerProcess agent =
        ImkerProcess.start(
            folder.resolve("agent-" + name),
            environment,
            "agent",
            "--join",
            announcement().path("joinToken").asText(),
            "--name",
            name,
            "--cores",
            "16", // whatever this machine has
            "--slots",
            Integer.toString(slots));
    agents.add(agent);
    return agent;
  }

  /** Tasks of these tests tell by files outside what they do. */
  static void withoutSandbox(Path agentHome) {
    try {
      Path data = Files.createDirectories(agentHome.resolve("agent"));
      Files.writeString(
          data.resolve("policy.yaml"), "sandbox: off\nuser: same\npause: {owner-active: no}\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void killServer() {
    server.kill();
  }

  void restartServer() {
    restartServer(Map.of());
  }

  void restartServer(Map<String, String> environment) {
    server = launchServer(environment);
    awaitServer();
  }

  int stopServer() {
    return server.interrupt();
  }

  public ApiClient api() {
    return new ApiClient(PoolContext.read(home().resolve("context.json")).orElseThrow());
  }

  JsonNode announcement() {
    return json(server.out().lines().findFirst().orElseThrow());
  }

  int connectedAgents() {
    try (ApiClient api = api()) {
      int connected = 0;
      for (JsonNode node : api.get("/api/v1/nodes").path("nodes")) {
        for (JsonNode agent : node.path("agents")) {
          connected += agent.path("connected").asBoolean() ? 1 : 0;
        }
      }
      return connected;
    }
  }

  public void awaitAgents(int count) {
    await().atMost(Duration.ofSeconds(60)).until(() -> connectedAgents() == count);
  }

  public static JsonNode json(String text) {
    try {
      return ApiClient.json().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  @Override
  public void close() {
    agents.stream().filter(ImkerProcess::isAlive).forEach(ImkerProcess::kill);
    if (server.isAlive()) {
      server.kill();
    }
  }

  private ImkerProcess launchServer(Map<String, String> environment) {
    String[] arguments =
        Stream.concat(
                Stream.of("server", "--port", Integer.toString(port), "--json"),
                serverOptions.stream())
            .toArray(String[]::new);
    return ImkerProcess.start(home(), environment, arguments);
  }

  private void awaitServer() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              assertThat(server.isAlive()).as(server.err()).isTrue();
              return server.out().contains("\n");
            });
  }

  private static String[] withJson(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, "--json");
    return all.toArray(String[]::new);
  }
}
