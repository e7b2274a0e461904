package dev.imker.server.commands;

import dev.imker.core.message.NodeTerms;
import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.change.SettingPut;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.loop.SchedulerLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** The admin operations on nodes. Every answer is given after the change is on disk. */
public record NodeCommands(SchedulerLoop loop) {
  /**
   * Grants a level of trust to a node; 0 takes it back. Answers how many of its agents have it now:
   * if none, nothing was changed, as none has shown a key.
   */
  public CompletableFuture<Integer> trust(NodeId node, int level) {
    return loop.change(
        (pool, nowMillis, out) -> {
          List<AgentId> agents = pool.agents().trust().agentsOf(node);
          if (!agents.isEmpty() || level == 0) {
            out.change(pool.agents().trust().grant(node, level));
            agents.forEach(agent -> pool.scheduler().onTrust(agent, level));
          }
          return agents.size();
        });
  }

  /** Keeps a setting that the live state does not need to know. */
  public CompletableFuture<Boolean> keep(SettingPut change) {
    return loop.change(
        (pool, nowMillis, out) -> {
          out.change(change);
          return true;
        });
  }

  /**
   * Takes the keys of agents away for good: of one, or of all of a node. Answers whom it hit.
   *
   * @param wanted id or name of an agent, or id of a node
   */
  public CompletableFuture<List<AgentKeys.Entry>> revoke(String wanted) {
    return loop.change(
        (pool, nowMillis, out) -> {
          List<AgentKeys.Entry> found = pool.agents().keys().named(wanted);
          found.forEach(entry -> out.change(pool.agents().keys().revoke(entry)));
          return pool.agents().keys().named(wanted);
        });
  }

  /** Lets agents join again by a join token, with whatever key they show then. */
  public CompletableFuture<List<AgentKeys.Entry>> readmit(String wanted) {
    return loop.change(
        (pool, nowMillis, out) -> {
          List<AgentKeys.Entry> found = pool.agents().keys().named(wanted);
          found.forEach(entry -> pool.agents().keys().forget(entry).forEach(out::change));
          return found;
        });
  }

  /**
   * Says how much of something exists once for all machines; 0: nothing any more. Answers whether
   * that is a change.
   */
  public CompletableFuture<Boolean> resource(String name, double amount) {
    return loop.change(
        (pool, nowMillis, out) -> {
          boolean other = pool.resources().all().getOrDefault(name, 0.0) != amount;
          if (other) {
            pool.applyResource(name, amount, out);
          }
          return other;
        });
  }

  /**
   * Changes the terms on which a node is used, at once and for later.
   *
   * @param change gets the present terms and the time
   */
  public CompletableFuture<NodeTerms> terms(
      NodeId node, BiFunction<NodeTerms, Long, NodeTerms> change) {
    return loop.change(
        (pool, nowMillis, out) -> {
          NodeTerms next = change.apply(pool.agents().terms().of(node), nowMillis);
          pool.agents().applyTerms(node, next, out);
          return next;
        });
  }
}
