package dev.imker.agent;

import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An agent at work. All methods may be called by any thread. */
public interface RunningAgent extends AutoCloseable {
  AgentId id();

  NodeId node();

  AgentState state();

  /** Completes with the last state, once the agent has stopped: closed, or refused. */
  CompletableFuture<AgentState> ended();

  /** Tasks whose processes run at this moment. */
  int runningTasks();

  /** Leases held in all: queued, running, or finished and not yet confirmed. */
  int heldLeases();

  /** Whether to take no further work; what runs goes on. */
  void drain(boolean on);

  /** Kills the tasks, gives them back to the server if it is there, and stops. */
  @Override
  void close();

  /** What its owner should know about how tasks run here; empty if all is well. */
  List<String> warnings();
}
