package dev.imker.agent.internal.lease;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What currently prevents this machine from running anything, such as a full disk. For a while no
 * work is accepted, because it would only be given back again and again. Problems of a single job
 * are not the machine's trouble.
 */
public final class Trouble {
  private static final Logger LOG = LoggerFactory.getLogger(Trouble.class);
  private static final long LASTS_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** When each job last went back; few, as they are forgotten after a while. */
  private final Map<Long, Long> jobs = new HashMap<>();

  private String what = "";
  private long sinceNanos;

  /** Nothing can run here. */
  synchronized void ofMachine(String reason) {
    LOG.warn("Accepting no tasks for a while: {}", reason);
    sinceNanos = System.nanoTime();
    what = reason;
  }

  /** Something of a job could not be had; the second job in a while makes it the machine's. */
  synchronized void ofJob(long job, String reason) {
    long nowNanos = System.nanoTime();
    jobs.values().removeIf(thenNanos -> nowNanos - thenNanos > LASTS_NANOS);
    jobs.put(job, nowNanos);
    if (jobs.size() > 1) {
      ofMachine("tasks of " + jobs.size() + " jobs could not be set up, last: " + reason);
    } else {
      LOG.info("A task of job {} could not be set up: {}", job, reason);
    }
  }

  /** Empty when all is well. */
  public synchronized String current() {
    if (!what.isEmpty() && System.nanoTime() - sinceNanos > LASTS_NANOS) {
      what = "";
    }
    return what;
  }
}
