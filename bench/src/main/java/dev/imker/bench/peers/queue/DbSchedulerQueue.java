package dev.imker.bench.peers.queue;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** db-scheduler with the polling that its README advises for much work on PostgreSQL. */
final class DbSchedulerQueue implements JobQueue {
  static final String SETTINGS =
      "threads 20, pollUsingLockAndFetch(0.5, 4.0), immediate execution, heartbeat 5 min × 6";

  /** Its postgresql_tables.sql. */
  private static final String TABLE =
      """
      create table if not exists scheduled_tasks (
        task_name text not null, task_instance text not null, task_data bytea,
        execution_time timestamp with time zone not null, picked boolean not null, picked_by text,
        last_success timestamp with time zone, last_failure timestamp with time zone,
        consecutive_failures int, last_heartbeat timestamp with time zone,
        version bigint not null, priority smallint, primary key (task_name, task_instance));
      create index if not exists execution_time_idx on scheduled_tasks (execution_time);
      create index if not exists last_heartbeat_idx on scheduled_tasks (last_heartbeat);
      """;

  private final OneTimeTask<Void> noop =
      Tasks.oneTime("noop").execute((instance, context) -> Work.noop());
  private final OneTimeTask<String> endless =
      Tasks.oneTime("endless", String.class)
          .execute(
              (instance, context) -> {
                try {
                  Work.endless(instance.getData());
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
  private final Scheduler scheduler;

  DbSchedulerQueue(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
    }
    scheduler =
        Scheduler.create(database, noop, endless)
            .threads(20)
            .pollUsingLockAndFetch(0.5, 4.0)
            .enableImmediateExecution()
            .build();
    scheduler.start();
  }

  @Override
  public void enqueue(int count) {
    Stream<TaskInstance<?>> all =
        IntStream.range(0, count).mapToObj(i -> noop.instance(UUID.randomUUID().toString()));
    scheduler.scheduleBatch(all, Instant.now());
    scheduler.triggerCheckForDueExecutions();
  }

  @Override
  public void enqueueEndless(Path file) {
    scheduler.schedule(endless.instance("endless", file.toString()), Instant.now());
  }

  @Override
  public String unfinished() {
    return "select count(*) from scheduled_tasks";
  }
}
