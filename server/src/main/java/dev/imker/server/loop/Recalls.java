package dev.imker.server.loop;

import dev.imker.core.message.Outbox;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.server.live.NotInMemoryException;
import dev.imker.server.live.RecalledJob;
import dev.imker.store.PoolStore;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads jobs that are not in memory for the commands that need them, on threads that may wait, and
 * gives these commands back to the loop.
 */
record Recalls(PoolStore store, Executor threads, Consumer<Command> loop) {
  private static final Logger LOG = LoggerFactory.getLogger(Recalls.class);

  /** A command may need several jobs, and each of them may change while it is read. */
  private static final int MAX_READINGS = 1000;

  /** On the loop's thread, which does not wait for it. */
  void fetch(Command command, NotInMemoryException missing) {
    Recalling next = command instanceof Recalling again ? again : new Recalling(command);
    if (next.readings++ == MAX_READINGS) {
      command.failed(
          new PoolUnavailableException(
              "Job %s changes too often to be read; nothing was changed. Try again later."
                  .formatted(missing.job())));
    } else {
      threads.execute(() -> read(next, missing));
    }
  }

  private void read(Recalling command, NotInMemoryException missing) {
    try {
      command.found.put(missing.job(), RecalledJob.read(store, missing));
    } catch (ImkerException e) {
      command.failed(e);
      return;
    } catch (RuntimeException e) {
      LOG.error("Job {} cannot be read", missing.job(), e);
      command.failed(new ImkerException("Job " + missing.job() + " cannot be read.", e));
      return;
    }
    loop.accept(command);
  }

  /** A command together with the jobs that were read for it. */
  private static final class Recalling implements Command {
    private final Command command;

    /** Handed between threads together with this command. */
    private final Map<JobId, RecalledJob> found = new HashMap<>();

    private int readings;

    Recalling(Command command) {
      this.command = command;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      pool.read().offer(found);
      try {
        command.apply(pool, nowMillis, out);
      } finally {
        pool.read().offer(Map.of());
      }
    }

    @Override
    public boolean looksOnly() {
      return command.looksOnly();
    }

    @Override
    public void committed() {
      command.committed();
    }

    @Override
    public void failed(RuntimeException why) {
      command.failed(why);
    }
  }
}
