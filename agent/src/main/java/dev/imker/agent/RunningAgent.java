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

  /** Completes with the final state when the agent has stopped: closed or refused. */
  CompletableFuture<AgentState> ended();

  /** The number of tasks with running processes. */
  int runningTasks();

  /** The number of held leases: queued, running, or finished and not yet confirmed. */
  int heldLeases();

  /** Whether to take no further work; running tasks continue. */
  void drain(boolean on);

  /** Kills the tasks, gives them back to the server if it is there, and stops. */
  @Override
  void close();

  /** What its owner should know about how tasks run here; empty if there are no problems. */
  List<String> warnings();
}
