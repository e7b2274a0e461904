package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import java.util.Optional;

/**
 * The request key of a job that a running task spawned. It says which agent wants to know of it, and
 * on whose behalf, so that nothing of it is lost with the server.
 *
 * @param parent of the task that spawned it
 * @param key under which the agent asked for it
 */
public record SpawnKey(AgentId agent, Lease parent, String key) {
  /** No user's key begins like this. */
  private static final String PREFIX = "*spawn:";

  /** Why a job is refused whose parent has ended. */
  public static final String PARENT_OVER = "The task that spawned it is over.";

  private static final int HEXADECIMAL = 16;

  /** What {@link #parse} reads. */
  public String text() {
    TaskId task = parent.task();
    LeaseToken token = parent.token();
    return PREFIX
        + "%s/%d-%d-%d-%x/%s"
            .formatted(
                agent, task.job().value(), task.index(), token.value(), token.incarnation(), key);
  }

  /**
   * Refuses a job whose parent has ended: it would be nobody's.
   *
   * @throws ImkerException unless the parent holds its lease
   */
  void requireParent(PoolState pool) {
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
    String[] numbers = parts.length < 3 ? new String[0] : parts[1].split("-", 4);
    if (numbers.length < 4) {
      return Optional.empty();
    }
    try {
      TaskId task = TaskId.of(Long.parseLong(numbers[0]), Integer.parseInt(numbers[1]));
      long incarnation = Long.parseUnsignedLong(numbers[3], HEXADECIMAL);
      LeaseToken token = new LeaseToken(Long.parseLong(numbers[2]), incarnation);
      return Optional.of(new SpawnKey(new AgentId(parts[0]), new Lease(task, token), parts[2]));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
