package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import dev.imker.server.live.NotInMemoryException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was applied since the last commit, and all that is said when it is on disk. */
final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

  private final List<Command> applied = new ArrayList<>();
  private final TurnOutbox out = new TurnOutbox();
  private final Recalls recalls;

  Turn(Recalls recalls) {
    this.recalls = recalls;
  }

  TurnOutbox out() {
    return out;
  }

  boolean isEmpty() {
    return applied.isEmpty();
  }

  /**
   * Applies a command, or tells whoever sent it why not. An error of ours that comes before
   * anything has happened costs this command only; otherwise nobody knows what has, and all must be
   * read again from disk.
   */
  void apply(Command command, PoolState pool, long nowMillis) {
    int before = out.size();
    try {
      applied.add(command);
      command.apply(pool, nowMillis, out);
    } catch (ImkerException refusal) {
      applied.removeLast();
      command.failed(refusal);
    } catch (NotInMemoryException missing) {
      applied.removeLast();
      recalls.fetch(command, missing);
    } catch (RuntimeException error) {
      if (out.size() != before) {
        throw error;
      }
      pool.scheduler().checkInvariants();
      applied.removeLast();
      LOG.error("A command was rejected because of an internal error; nothing was changed", error);
      command.failed(
          new ImkerException(
              "Internal server error; see its log for details. Nothing was changed.", error));
    }
  }

  /** All is on disk: everybody is answered. */
  void release(PoolState pool, AgentLines agents, PoolListener listener) {
    for (Command command : applied) {
      command.committed();
    }
    out.release(pool, agents, listener);
    clear();
  }

  /** Nothing of it has happened. */
  void abandon(RuntimeException why) {
    applied.forEach(command -> command.failed(why));
    clear();
  }

  private void clear() {
    applied.clear();
    out.clear();
  }
}
