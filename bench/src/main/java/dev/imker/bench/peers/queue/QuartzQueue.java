package dev.imker.bench.peers.queue;

import com.zaxxer.hikari.HikariDataSource;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/** Quartz, clustered, taking triggers in batches as its guide advises for many threads. */
final class QuartzQueue implements JobQueue {
  static final String SETTINGS =
      "JobStoreTX, clustered (check-in 7.5 s), 10 threads, batches of 10 within the lock";

  private static final String SOURCE = "bench";

  /** Does nothing. */
  public static final class Noop implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      Work.noop();
    }
  }

  /** Never ends. */
  public static final class Endless implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      try {
        Work.endless(context.getMergedJobDataMap().getString("file"));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final Scheduler scheduler;

  QuartzQueue(HikariDataSource database) throws Exception {
    createTables(database);
    DBConnectionManager.getInstance()
        .addConnectionProvider(
            SOURCE,
            new ConnectionProvider() {
              @Override
              public Connection getConnection() throws java.sql.SQLException {
                return database.getConnection();
              }

              @Override
              public void shutdown() {
                database.close();
              }

              @Override
              public void initialize() {}
            });
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "org.quartz.scheduler.instanceName", "bench",
            "org.quartz.scheduler.instanceId", "AUTO",
            "org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "10",
            "org.quartz.threadPool.threadCount", "10",
            "org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX",
            "org.quartz.jobStore.driverDelegateClass",
                "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate",
            "org.quartz.jobStore.dataSource", SOURCE,
            "org.quartz.jobStore.isClustered", "true",
            "org.quartz.jobStore.acquireTriggersWithinLock", "true"));
    scheduler = new StdSchedulerFactory(settings).getScheduler();
    scheduler.start();
  }

  /** The script drops tables first, so only who comes first runs it. */
  private static void createTables(HikariDataSource database) throws Exception {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      var tables = connection.getMetaData().getTables(null, null, "qrtz_triggers", null);
      if (tables.next()) {
        return;
      }
      String script = "/org/quartz/impl/jdbcjobstore/tables_postgres.sql";
      try (InputStream sql = Scheduler.class.getResourceAsStream(script)) {
        statement.execute(
            new String(Objects.requireNonNull(sql).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  @Override
  public void enqueue(int count) throws Exception {
    JobDetail job = JobBuilder.newJob(Noop.class).withIdentity("noop").storeDurably().build();
    Set<Trigger> triggers =
        IntStream.range(0, count)
            .mapToObj(i -> TriggerBuilder.newTrigger().forJob(job).startNow().build())
            .collect(Collectors.toSet());
    scheduler.scheduleJobs(Map.of(job, triggers), true);
  }

  @Override
  public void enqueueEndless(Path file) throws Exception {
    JobDetail job =
        JobBuilder.newJob(Endless.class)
            .withIdentity("endless")
            .usingJobData("file", file.toString())
            .requestRecovery()
            .build();
    scheduler.scheduleJob(job, TriggerBuilder.newTrigger().startNow().build());
  }

  @Override
  public String unfinished() {
    return "select count(*) from qrtz_triggers";
  }
}
