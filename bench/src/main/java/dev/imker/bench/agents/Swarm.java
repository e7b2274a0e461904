package dev.imker.bench.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.Platform;
import dev.imker.model.connection.JoinToken;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.connect.ConnectionState;
import dev.imker.wire.connect.Connector;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * A process full of agents. Reads {@code report} and {@code reset} from its input, answers each
 * with one line, ends with its input.
 */
public final class Swarm {

  private static final int SLOTS = 2;
  private static final int ARRIVAL_MILLIS = 8_000;
  private static final int SIGN_OF_LIFE_MILLIS = 5_000;
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Everything begun in a callback stays on its event loop, so each loop gets a Vert.x of its own.
   */
  private final List<Vertx> loops =
      Stream.generate(() -> Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)))
          .limit(Runtime.getRuntime().availableProcessors())
          .toList();

  private final SwarmTally tally = new SwarmTally();
  private final MessageDirectory directory = SimulatedAgent.directory();
  private final JoinToken token;
  private final List<URI> addresses;

  private Swarm(JoinToken token) {
    this.token = token;
    this.addresses =
        token.urls().stream()
            .map(url -> URI.create(url.replaceFirst("^http", "ws") + "/api/v1/agent"))
            .toList();
  }

  /** Arguments: join token, number of agents. */
  public static void main(String[] args) throws IOException {
    Swarm swarm = new Swarm(JoinToken.parse(args[0]));
    swarm.arrive(Integer.parseInt(args[1]));
    swarm.serve();
    Runtime.getRuntime().halt(0);
  }

  private void arrive(int count) throws JsonProcessingException {
    for (int i = 0; i < count; i++) {
      String name = "sim-" + i;
      SimulatedAgent agent =
          new SimulatedAgent(name, SLOTS, JSON.writeValueAsString(platform(name)), tally);
      long delay = 1L + ThreadLocalRandom.current().nextInt(ARRIVAL_MILLIS);
      Vertx vertx = loops.get(i % loops.size());
      vertx.setTimer(delay, _ -> start(vertx, agent));
    }
  }

  private void start(Vertx vertx, SimulatedAgent agent) {
    Connector.Builder builder =
        Connector.builder(vertx, directory)
            .addresses(addresses)
            .header("Authorization", "Bearer " + token.secret())
            .onState(this::onState)
            .listener(agent);
    if (!token.fingerprint().isEmpty()) {
      builder.pinnedSha256(token.fingerprint());
    }
    Connector connector = builder.start();
    // Started at random times, so the beats are spread.
    vertx.setPeriodic(SIGN_OF_LIFE_MILLIS, _ -> agent.signOfLife(connector));
  }

  private void onState(ConnectionState state) {
    if (state instanceof ConnectionState.Connecting) {
      tally.attempt();
    }
  }

  private static Platform platform(String name) {
    return new Platform(
        "linux", "6", "x86_64", name, 2, 0, 1L << 33, 1L << 36, 1.0, Map.of(), Set.of());
  }

  private void serve() throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("reset")) {
        tally.reset();
      }
      System.out.println(JSON.writeValueAsString(tally.report()));
      System.out.flush();
    }
  }
}
