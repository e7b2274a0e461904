package dev.imker.bench.peers.queue;

import com.zaxxer.hikari.HikariDataSource;

/** A library for background jobs. */
public enum Library {
  DB_SCHEDULER("db-scheduler 16.12.0", DbSchedulerQueue.SETTINGS, DbSchedulerQueue::new),
  JOBRUNR("JobRunr 8.7.0", JobRunrQueue.SETTINGS, JobRunrQueue::new),
  QUARTZ("Quartz 2.5.2", QuartzQueue.SETTINGS, QuartzQueue::new);

  private interface Start {
    JobQueue on(HikariDataSource database) throws Exception;
  }

  private final String title;
  private final String settings;
  private final Start start;

  Library(String title, String settings, Start start) {
    this.title = title;
    this.settings = settings;
    this.start = start;
  }

  public String title() {
    return title;
  }

  public String settings() {
    return settings;
  }

  JobQueue start(HikariDataSource database) throws Exception {
    return start.on(database);
  }
}
