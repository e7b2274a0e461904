package dev.imker.server.internal.rest.data;

import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tasks that have ended and still count as running, because the server has no room for their
 * results: their agents try again until it has.
 */
public final class RefusedResults {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedResults.class);
  private static final int MAX_TASKS = 10_000;

  private final ConcurrentHashMap<TaskId, String> reasons = new ConcurrentHashMap<>();

  /**
   * @param lease as the agent named it
   */
  void refused(String lease, String why) {
    TaskId task = Lease.parse(lease).task();
    LOG.warn("Cannot store a result of task {}: {}", task, why);
    if (reasons.size() < MAX_TASKS) {
      reasons.put(task, why);
    }
  }

  void kept(String lease) {
    if (!reasons.isEmpty()) {
      reasons.remove(Lease.parse(lease).task());
    }
  }

  public Optional<String> of(TaskId running) {
    return Optional.ofNullable(reasons.get(running));
  }
}
