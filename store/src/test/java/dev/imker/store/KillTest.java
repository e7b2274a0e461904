package dev.imker.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that commits is killed again and again; what it acknowledged must be there. */
class KillTest {
  private static final int ROUNDS = Integer.getInteger("imker.kill.rounds", 15);
  private static final long MAX_DELAY_MICROS = 60_000;

  @TempDir Path folder;

  @Test
  void nothing_acknowledged_is_lost_and_nothing_is_half_there() throws Exception {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    System.out.println("imker.seed=" + seed + " (set it to repeat the moments of the kills)");
    Random random = new Random(seed);
    long last = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long acknowledged = last;
      try (CommittingProcess process = CommittingProcess.start(folder, last + 1)) {
        process.awaitAcknowledged(last + 1 + random.nextInt(20));
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextLong(MAX_DELAY_MICROS)));
        acknowledged = process.kill();
      }
      last = check(last, acknowledged);
    }
  }

  /** Checks all commits since the last check; returns the last one that is there. */
  private long check(long checked, long acknowledged) {
    try (PoolStore store = SqliteStore.open(folder)) {
      long last = store.lastJobId();
      assertThat(last).as("acknowledged, or one more").isBetween(acknowledged, acknowledged + 1);
      Reads reads = store.reads();
      for (long job = Math.max(1, checked); job < last; job++) {
        assertThat(reads.job(new JobId(job)).orElseThrow().isSettled()).isTrue();
        checkTasks(reads, job, TaskState.DONE);
      }
      checkTasks(reads, last, TaskState.RUNNING);
      Recovered recovered = Recovered.of(store);
      assertThat(recovered.jobs).containsOnlyKeys(last);
      assertThat(recovered.leases).hasSize(CommittingProcess.tasksOf(last));
      return last;
    }
  }

  private static void checkTasks(Reads reads, long job, TaskState state) {
    List<TaskRecord> tasks = reads.tasks(TaskQuery.all(new JobId(job)));
    assertThat(tasks).hasSize(CommittingProcess.tasksOf(job));
    for (TaskRecord task : tasks) {
      assertThat(task.state()).isEqualTo(state);
      AttemptRecord last = Objects.requireNonNull(task.last());
      assertThat(last.token().value()).isEqualTo(CommittingProcess.tokenOf(task.id()).value());
    }
    assertThat(reads.attempts(tasks.getFirst().id())).hasSize(1);
  }
}
