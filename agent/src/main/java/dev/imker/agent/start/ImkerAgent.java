package dev.imker.agent.start;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.AgentState;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.internal.link.AgentCore;
import dev.imker.agent.internal.system.OwnArguments;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.function.Consumer;

/** Starts agents. Several may run in one process, and beside a server. */
public final class ImkerAgent {
  private ImkerAgent() {}

  /**
   * Hides a secret that this process was started with from the list of processes, which everybody
   * on the machine can read; false where that is not possible.
   */
  public static boolean hideArgument(String secret) {
    return OwnArguments.hide(secret);
  }

  /** Starts an agent that connects by itself and stays until it is closed or refused. */
  public static RunningAgent start(AgentSettings settings) {
    return start(settings, _ -> {});
  }

  /**
   * As above, telling every change of state. The listener is called by internal threads and must
   * not block.
   */
  public static RunningAgent start(AgentSettings settings, Consumer<AgentState> listener) {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(2)
                .setInternalBlockingPoolSize(2));
    try {
      AgentCore agent = new AgentCore(settings, vertx, listener);
      var _ = agent.ended().thenRun(vertx::close);
      return agent;
    } catch (RuntimeException e) {
      vertx.close();
      throw e;
    }
  }
}
