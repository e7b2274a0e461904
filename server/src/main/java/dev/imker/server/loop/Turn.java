package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import java.util.ArrayList;
import java.util.List;

/** What was applied since the last commit, and all that is said when it is on disk. */
final class Turn {
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

  /** Applies a command, or tells whoever sent it why not. */
  void apply(Command command, PoolState pool, long nowMillis) {
    try {
      applied.add(command);
      command.apply(pool, nowMillis, out);
    } catch (ImkerException refusal) {
      applied.removeLast();
      command.failed(refusal);
    } catch (NotInMemoryException missing) {
      applied.removeLast();
      recalls.fetch(command, missing);
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
