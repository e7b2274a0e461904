package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports interrupted by the end of their server. The next leader removes their leftovers, but not
 * its own running imports.
 */
record UnfinishedImports(PoolStore store, SchedulerLoop loop) {
  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedImports.class);

  void discard() {
    try {
      long epoch = Await.answer(loop.ask(PoolState::epoch));
      List<JobId> jobs = JobCommands.incomplete(store, epoch);
      if (!jobs.isEmpty()) {
        LOG.warn("Removing jobs of unfinished imports: {}", jobs);
        Await.answer(new JobCommands(loop).discard(jobs));
      }
    } catch (ImkerException e) {
      LOG.warn("Could not remove jobs of unfinished imports yet: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
