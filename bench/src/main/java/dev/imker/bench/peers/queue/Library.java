package dev.imker.bench.peers.queue;

import com.zaxxer.hikari.HikariDataSource;

/** A library for background jobs. */
public enum Library {
  DB_SCHEDULER("db-scheduler 16.12.0", DbSchedulerQueue.SETTINGS),
  JOBRUNR("JobRunr 8.7.0", JobRunrQueue.SETTINGS),
  QUARTZ("Quartz 2.5.2", QuartzQueue.SETTINGS);

  private final String title;
  private final String settings;

  Library(String title, String settings) {
    this.title = title;
    this.settings = settings;
  }

  public String title() {
    return title;
  }

  public String settings() {
    return settings;
  }

  JobQueue start(HikariDataSource database) throws Exception {
    return switch (this) {
      case DB_SCHEDULER -> new DbSchedulerQueue(database);
      case JOBRUNR -> new JobRunrQueue(database);
      case QUARTZ -> new QuartzQueue(database);
    };
  }
}
