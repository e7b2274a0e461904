package dev.imker.server.loop;

import dev.imker.model.JobId;
import java.util.Collection;

/** Hears what changed in a turn, after the commit, on the loop's thread. */
public interface PoolListener {
  void jobsChanged(Collection<JobId> jobs);

  void nodesChanged();
}
