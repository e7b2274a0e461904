package dev.imker.server.live.standing;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.AgentOffer;
import dev.imker.model.AgentId;
import dev.imker.model.change.SettingPut;
import dev.imker.server.http.Json;
import dev.imker.store.NodeRecord;
import dev.imker.store.PoolStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What owners of agents said of them, kept so that a server that follows can tell of agents that
 * are connected to another one.
 */
public final class AgentStandings {
  private static final Logger LOG = LoggerFactory.getLogger(AgentStandings.class);
  private static final String SETTING = "agent-standing/";

  /**
   * @param slotsSet whether the number of slots is a limit
   * @param longestMillis the longest tasks that it takes; 0: any
   * @param serves for whom it works; empty: everybody
   * @param pause why its tasks are frozen; empty while they are not
   */
  record Standing(
      long incarnation,
      boolean slotsSet,
      boolean sandboxed,
      long longestMillis,
      List<String> serves,
      boolean draining,
      String pause) {
    Standing {
      serves = List.copyOf(serves);
      Objects.requireNonNull(pause, "pause");
    }

    AgentHello hello(NodeRecord node, NodeRecord.Agent agent) {
      AgentHello hello =
          new AgentHello(
              agent.id(),
              node.id(),
              agent.name(),
              agent.version(),
              agent.platform(),
              agent.slots(),
              incarnation,
              List.of(),
              new AgentOffer(serves, longestMillis).withSandbox(sandboxed));
      return slotsSet ? hello : hello.withoutSlotLimit();
    }

    Standing withDraining(boolean on) {
      return new Standing(incarnation, slotsSet, sandboxed, longestMillis, serves, on, pause);
    }

    Standing withPause(String why) {
      return new Standing(incarnation, slotsSet, sandboxed, longestMillis, serves, draining, why);
    }
  }

  private final Map<AgentId, Standing> known = new HashMap<>();

  /** An agent came, as it said itself; what is to be written of that, if anything. */
  public Optional<SettingPut> introduced(AgentHello hello, String pause) {
    AgentOffer offer = hello.offer();
    return put(
        hello.agent(),
        new Standing(
            hello.incarnation(),
            hello.slotsSet(),
            offer.sandboxed(),
            offer.longestMillis(),
            offer.serves(),
            false,
            pause));
  }

  public Optional<SettingPut> paused(AgentId agent, String why) {
    Standing before = known.get(agent);
    return before == null || before.pause.equals(why)
        ? Optional.empty()
        : put(agent, before.withPause(why));
  }

  public Optional<SettingPut> draining(AgentId agent, boolean on) {
    Standing before = known.get(agent);
    return before == null ? Optional.empty() : put(agent, before.withDraining(on));
  }

  private Optional<SettingPut> put(AgentId agent, Standing next) {
    if (next.equals(known.put(agent, next))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new SettingPut(SETTING + agent.value(), Json.MAPPER.writeValueAsString(next)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a standing that is not JSON", e);
    }
  }

  /**
   * Has a scheduler that only answers questions know the agents that are connected to another
   * server.
   *
   * @param admitted adds to what an agent said what the pool says of it
   */
  public static void show(
      PoolStore store, Scheduler scheduler, UnaryOperator<AgentHello> admitted, long nowMillis) {
    Map<String, String> standings = store.settings(SETTING);
    for (NodeRecord node : store.reads().nodes()) {
      for (NodeRecord.Agent agent : node.agents()) {
        String json = standings.get(SETTING + agent.id().value());
        if (agent.connected() && json != null) {
          parse(json)
              .ifPresent(
                  standing ->
                      scheduler
                          .recovery()
                          .agent(
                              nowMillis,
                              admitted.apply(standing.hello(node, agent)),
                              standing.draining,
                              standing.pause));
        }
      }
    }
  }

  /** One that a later version has written in another form is not told of. */
  private static Optional<Standing> parse(String json) {
    try {
      return Optional.of(Json.MAPPER.readValue(json, Standing.class));
    } catch (JsonProcessingException e) {
      LOG.debug("the standing of an agent cannot be read", e);
      return Optional.empty();
    }
  }
}
