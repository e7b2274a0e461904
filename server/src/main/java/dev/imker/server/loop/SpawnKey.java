package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import java.util.Optional;

/**
 * The request key of a job that a running task spawned. It says which agent wants to know of it,
 * and on whose behalf, so that nothing of it is lost with the server.
 *
 * @param parent of the task that spawned it
 * @param key under which the agent asked for it
 */
public record SpawnKey(AgentId agent, Lease parent, String key) {
  /** No user's key begins like this. */
  private static final String PREFIX = "*spawn:";

  /** Why a job is refused whose parent has ended. */
  public static final String PARENT_OVER = "The task that spawned it has ended.";

  /** What {@link #parse} reads. */
  public String text() {
    return PREFIX + agent + "/" + parent.text() + "/" + key;
  }

  /**
   * Refuses a job whose parent has ended: it would be nobody's.
   *
   * @throws ImkerException unless the parent holds its lease
   */
  public void requireParent(PoolState pool) {
    if (!pool.scheduler().view().isHeld(agent, parent)) {
      throw new ImkerException(PARENT_OVER);
    }
  }

  /** The parts of a key; empty if it is not that of a spawned job. */
  public static Optional<SpawnKey> parse(String requestKey) {
    if (!requestKey.startsWith(PREFIX)) {
      return Optional.empty();
    }
    String[] parts = requestKey.substring(PREFIX.length()).split("/", 3);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SpawnKey(new AgentId(parts[0]), Lease.parse(parts[1]), parts[2]));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
