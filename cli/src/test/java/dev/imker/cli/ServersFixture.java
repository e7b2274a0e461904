package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import dev.imker.testdb.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Two servers of one pool, as processes of their own on one database, and agents. */
final class ServersFixture implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Path folder;
  private final String database = TestPostgres.freshDatabase();
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<Server> servers = new ArrayList<>();
  private final List<ImkerProcess> others = new ArrayList<>();

  private ServersFixture(Path folder) {
    this.folder = folder;
  }

  /** On return one server leads, and agents that come now are told of both. */
  static ServersFixture start(Path folder) {
    ServersFixture fixture = new ServersFixture(folder);
    try {
      fixture.add("one");
      fixture.leader();
      fixture.add("two");
      try (ApiClient api = fixture.api()) {
        await().atMost(PATIENCE).until(() -> api.get("/api/v1/pool").path("urls").size() == 2);
      }
      return fixture;
    } catch (RuntimeException | Error e) {
      fixture.close();
      throw e;
    }
  }

  private void add(String name) {
    Server server = new Server(name);
    servers.add(server);
    server.awaitAnnouncement();
  }

  /** A server with a home and port of its own. */
  final class Server {
    private final Path home;
    private final int port = PoolFixture.freePort();
    private ImkerProcess process;

    private Server(String name) {
      home = folder.resolve(name);
      process = begin();
    }

    private ImkerProcess begin() {
      return ImkerProcess.start(
          home, Map.of("IMKER_DB", database), "server", "--port", Integer.toString(port), "--json");
    }

    private void awaitAnnouncement() {
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                assertThat(process.isAlive()).as(process.err()).isTrue();
                return process.out().contains("\n");
              });
    }

    void kill() {
      process.kill();
    }

    /** From now on nothing that is asked of it is answered. */
    void freeze() {
      process.freeze();
    }

    void restart() {
      process = begin();
      awaitAnnouncement();
    }

    private JsonNode announcement() {
      return PoolFixture.json(process.out().lines().findFirst().orElseThrow());
    }

    private String url() {
      return "http://127.0.0.1:" + port;
    }

    /** Only the leader answers this itself. */
    private boolean leads() {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url() + "/api/v1/pool"))
              .header("Authorization", "Bearer " + announcement().path("adminToken").asText())
              .build();
      try {
        return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Waits for one. */
  Server leader() {
    return await()
        .atMost(PATIENCE)
        .until(() -> servers.stream().filter(Server::leads).findFirst(), found -> found.isPresent())
        .orElseThrow();
  }

  void addAgent(String name, int slots) {
    PoolFixture.withoutSandbox(folder.resolve("agent-" + name));
    start(
        "agent-" + name,
        Map.of(),
        "agent",
        "--join",
        servers.getLast().announcement().path("joinToken").asText(),
        "--name",
        name,
        "--cores",
        "16", // whatever this machine has
        "--slots",
        Integer.toString(slots));
  }

  /** A command of somebody who knows both servers. */
  ImkerProcess asUser(String... arguments) {
    return start("user", Map.of("IMKER_URL", urls(), "IMKER_TOKEN", adminToken()), arguments);
  }

  private ImkerProcess start(String home, Map<String, String> environment, String... arguments) {
    ImkerProcess process = ImkerProcess.start(folder.resolve(home), environment, arguments);
    others.add(process);
    return process;
  }

  /** The addresses of both, with a comma between them. */
  String urls() {
    return servers.stream().map(Server::url).collect(Collectors.joining(","));
  }

  String adminToken() {
    return servers.getFirst().announcement().path("adminToken").asText();
  }

  ApiClient api() {
    List<URI> urls = servers.stream().map(server -> URI.create(server.url())).toList();
    return new ApiClient(new PoolContext(urls, adminToken(), ""));
  }

  @Override
  public void close() {
    others.forEach(ImkerProcess::kill);
    servers.forEach(Server::kill);
    http.close();
  }
}
