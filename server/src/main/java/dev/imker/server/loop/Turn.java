package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was applied since the last commit, and all that is said when it is on disk. */
final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  private final List<Command> applied = new ArrayList<>();
  private final TurnOutbox out = new TurnOutbox();

  /** How many of the applied commands are written already. */
  private int ahead;

  TurnOutbox out() {
    return out;
  }

  boolean isEmpty() {
    return applied.isEmpty();
  }

  /** Applies a command, or tells whoever sent it why not. */
  void apply(Command command, PoolState pool, long nowMillis) {
    try {
      applied.add(command);
      command.apply(pool, nowMillis, out);
    } catch (ImkerException refusal) {
      applied.removeLast();
      command.failed(refusal);
    }
  }

  /** All that was applied so far is written, though perhaps not on disk. */
  void wentAhead() {
    ahead = applied.size();
  }

  /** All is on disk: everybody is answered. */
  void release(PoolState pool, AgentLines agents, PoolListener listener) {
    for (Command command : applied) {
      command.committed();
    }
    out.release(pool, agents, listener);
    clear();
  }

  /** What was written ahead has happened, if only it gets to the disk. */
  void releaseAhead(PoolStore store) {
    if (ahead == 0) {
      return;
    }
    try {
      store.commit(List.of());
      applied.subList(0, ahead).forEach(Command::committed);
      applied.subList(0, ahead).clear();
    } catch (ImkerException e) {
      LOG.warn("What was written last is not on disk: {}", e.getMessage());
    }
  }

  /** Nothing of it has happened. */
  void abandon(RuntimeException why) {
    applied.forEach(command -> command.failed(why));
    clear();
  }

  private void clear() {
    applied.clear();
    ahead = 0;
    out.clear();
  }
}
