package dev.imker.server.loop;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import java.util.Collection;
import java.util.List;

/** Hears what changed in a turn, after the commit, on the loop's thread. */
public interface PoolListener {
  /**
   * @param settled those of them that have just settled
   */
  void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled);

  void nodesChanged();

  /** All changes of the turn, in their order. */
  default void committed(List<Change> changes, PoolState pool) {}
}
