package dev.imker.server;

import dev.imker.core.message.SchedulerSettings;
import java.nio.file.Path;

/** A real server on a free port. */
public final class TestServer implements AutoCloseable {
  private final Path folder;
  private final ServerSettings settings;
  private RunningServer server;

  private TestServer(ServerSettings settings) {
    this.folder = settings.dataFolder();
    this.settings = settings;
    server = ImkerServer.start(settings);
  }

  public static TestServer start(Path folder) {
    return start(settings(folder));
  }

  public static TestServer start(ServerSettings settings) {
    return new TestServer(settings);
  }

  public static ServerSettings settings(Path folder) {
    return ServerSettings.of(folder).withPort(0).withPoolName("test").withSignOfLifeMillis(200);
  }

  /** A server with leases short enough to see them end. */
  public static TestServer impatient(Path folder) {
    return start(
        settings(folder).withScheduler(SchedulerSettings.defaults().withLeaseMillis(4_000)));
  }

  public Path folder() {
    return folder;
  }

  public RunningServer running() {
    return server;
  }

  /** Stops the server and starts it again on the same folder and port. */
  public void restart() {
    stopAnd(() -> {});
  }

  /** The same, with something done while it is stopped. */
  public void stopAnd(Runnable meanwhile) {
    int port = server.port();
    server.close();
    meanwhile.run();
    server = ImkerServer.start(settings.withPort(port));
  }

  public Rest admin() {
    return new Rest(server.address(), server.adminToken());
  }

  public Rest withToken(String token) {
    return new Rest(server.address(), token);
  }

  public TestAgent agent(String name) {
    return TestAgent.connect(server.joinToken(), name, 2);
  }

  /** An agent whose tasks all succeed at once, also those that wait for it already. */
  public TestAgent succeedingAgent(String name) {
    return TestAgent.finishing(server.joinToken(), name, 2, TestAgent::success);
  }

  @Override
  public void close() {
    server.close();
  }
}
