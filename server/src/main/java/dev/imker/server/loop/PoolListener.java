package dev.imker.server.loop;

import dev.imker.model.JobId;
import java.util.Collection;

/** Hears what changed in a turn, after the commit, on the loop's thread. */
public interface PoolListener {
  /**
   * @param settled those of them that have just settled
   */
  void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled);

  void nodesChanged();
}
