package dev.imker.server.live;

import dev.imker.model.JobId;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The numbers of jobs: each is given once, some before there is a job. */
public final class JobNumbers {
  private final Set<JobId> reserved = new HashSet<>();
  private long last;

  /**
   * @param last the greatest one that was ever given
   */
  public JobNumbers(long last) {
    this.last = last;
  }

  public JobId next() {
    return new JobId(++last);
  }

  /** A number that only {@link #claim} turns into that of a job. */
  public JobId reserve() {
    JobId id = next();
    reserved.add(id);
    return id;
  }

  /** Whether these numbers are reserved; from now on they are not. */
  public boolean claim(Collection<JobId> ids) {
    return reserved.containsAll(ids) && reserved.removeAll(ids);
  }

  /** Takes reserved numbers back that no job has got; the last ones are given again. */
  public void giveBack(List<JobId> ids) {
    boolean unused = claim(ids);
    if (unused && ids.getLast().value() == last) {
      last = ids.getFirst().value() - 1;
    }
  }
}
