package dev.imker.server.loop;

import dev.imker.core.AgentView;
import dev.imker.model.AgentId;
import java.util.concurrent.CompletableFuture;

/** What can be asked of agents from outside. */
public final class AgentCommands {
  private final SchedulerLoop loop;

  public AgentCommands(SchedulerLoop loop) {
    this.loop = loop;
  }

  /**
   * Gives an agent no further work, or work again; it finishes what it has. Holds until the agent
   * connects anew. The answer is whether there is such an agent.
   */
  public CompletableFuture<Boolean> drain(AgentId agent, boolean on) {
    return loop.change(
        (state, nowMillis, outbox) -> {
          boolean known =
              state.scheduler().agents().stream().map(AgentView::agent).anyMatch(agent::equals);
          if (known) {
            state.scheduler().onDrain(nowMillis, agent, on, outbox);
          }
          return known;
        });
  }
}
