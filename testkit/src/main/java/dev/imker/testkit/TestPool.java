package dev.imker.testkit;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.Offer;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.client.Imker;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A pool inside the program: a server on a free port of this machine and agents with two slots
 * each. Tasks run in processes of their own, as in any pool.
 *
 * <pre>{@code
 * try (TestPool pool = TestPool.start(folder); Imker imker = pool.connect()) {
 *   assertThat(imker.executor().submit(() -> 6 * 7).get()).isEqualTo(42);
 * }
 * }</pre>
 */
public final class TestPool implements AutoCloseable {
  private static final int SLOTS = 2;

  /** Enough for all agents of a test, however small the machine is. */
  private static final int CORES = 16;

  private final Path folder;
  private final SettableClock clock = new SettableClock();
  private final ServerSettings settings;
  private final List<RunningAgent> agents = new ArrayList<>();
  private RunningServer server;
  private int agentsMade;

  private TestPool(Path folder) {
    this.folder = folder;
    this.settings =
        ServerSettings.of(folder.resolve("server"))
            .withPort(0)
            .withPoolName("test")
            .withSignOfLifeMillis(500);
    this.server = ImkerServer.start(settings, clock);
  }

  /** Starts a pool with one agent that stores everything in a folder. */
  public static TestPool start(Path folder) {
    TestPool pool = new TestPool(folder);
    pool.addAgent();
    return pool;
  }

  /** The clock of the server's scheduler. */
  public SettableClock clock() {
    return clock;
  }

  public RunningServer server() {
    return server;
  }

  /** Adds an agent. Its tasks are plain processes with the same access as the tests. */
  public RunningAgent addAgent() {
    return addAgent("sandbox: off\nuser: same\nnetwork: shared\n");
  }

  /**
   * Adds an agent with a policy.
   *
   * @param policy content of a policy file, such as {@code sandbox: on}
   */
  public RunningAgent addAgent(String policy) {
    try {
      Path file = Files.writeString(folder.resolve("policy-" + (agentsMade + 1)), policy);
      return add(agent -> agent.withPolicy(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunningAgent add(UnaryOperator<AgentSettings> terms) {
    RunningAgent agent =
        ImkerAgent.start(
            terms.apply(
                AgentSettings.of(
                        JoinToken.parse(server.joinToken()),
                        folder.resolve("agent-" + ++agentsMade))
                    .withName("agent-" + agentsMade)
                    .withSlots(SLOTS)
                    .withOffer(Offer.ALL.withCores(CORES))
                    .withLowestPriority(false)));
    agents.add(agent);
    return agent;
  }

  /** Stops all agents; their tasks are given back. */
  public void stopAgents() {
    agents.forEach(RunningAgent::close);
    agents.clear();
  }

  /** Number of running tasks. */
  public int runningTasks() {
    return agents.stream().mapToInt(RunningAgent::runningTasks).sum();
  }

  public Imker connect() {
    return Imker.connect(server.address().toString(), server.adminToken());
  }

  /** Restarts the server, at the same address and with its data. */
  public void restartServer() {
    restartServer(() -> {});
  }

  /** As {@link #restartServer()}, with an action to run while the server is stopped. */
  public void restartServer(Runnable meanwhile) {
    int port = server.port();
    server.close();
    meanwhile.run();
    server = ImkerServer.start(settings.withPort(port), clock);
  }

  @Override
  public void close() {
    stopAgents();
    server.close();
  }
}
