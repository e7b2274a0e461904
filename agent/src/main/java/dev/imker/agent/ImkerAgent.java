package dev.imker.agent;

import dev.imker.agent.internal.run.AgentCore;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.function.Consumer;

/** Starts agents. Several may run in one process, and beside a server. */
public final class ImkerAgent {
  private ImkerAgent() {}

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
