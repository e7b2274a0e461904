package dev.imker.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.store.DeposedException;
import dev.imker.store.postgres.PostgresStore;
import dev.imker.testdb.TestPostgres;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two real stores on a real database, the second of which has taken over. With the fence in order
 * the first cannot write any more, and the check finds nothing; with a fence that was broken on
 * purpose it writes, and the check finds it.
 */
class BrokenFenceTest {
  private static final AgentId AGENT = new AgentId("agent");
  private static final NodeId NODE = new NodeId("node");
  private static final TaskId TASK = TaskId.of(1, 0);

  /** Each server has a row of its own for its epoch, so that none sees the other's. */
  private static final String BREAK_THE_FENCE =
      """
      ALTER TABLE pool RENAME TO pools;
      ALTER TABLE pools ADD COLUMN server TEXT NOT NULL DEFAULT 'one';
      ALTER TABLE pools DROP CONSTRAINT pool_pkey;
      ALTER TABLE pools DROP CONSTRAINT pool_one_check;
      INSERT INTO pools (one, epoch, turn, server) SELECT 1, epoch + 5, 0, 'two' FROM pools;
      CREATE VIEW pool AS SELECT one, epoch, turn, incarnation FROM pools
      WHERE server = current_setting('chaos.server', true)
      """;

  private final String url = TestPostgres.freshDatabase();
  private final WriteAudit audit = new WriteAudit(url);
  private final PostgresStore first = open("one");
  private final PostgresStore second = open("two");

  private PostgresStore open(String server) {
    return PostgresStore.open(url + WriteAudit.signature(server));
  }

  @BeforeEach
  void write_down_who_writes() throws Exception {
    audit.install(Optional.empty());
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static JobAdded job() {
    JobSpec spec =
        JobSpec.of(
            "job",
            "default",
            JobKind.COMMAND,
            Stage.of(List.of("echo ${n}"), List.of(SweepAxis.range("n", 1, 2, 1, 0))));
    return new JobAdded(new JobId(1), "admin", spec, 2, 1000, "");
  }

  private static List<Change> result(long epoch, long lease) {
    LeaseToken token = LeaseToken.of(epoch, lease);
    AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 3000, "");
    return List.of(
        new AttemptStarted(TASK, token, AGENT, NODE, 1, 2000),
        new AttemptEnded(TASK, token, report, TaskState.DONE, 0, 0, 3000));
  }

  @Test
  void nothing_is_found_where_the_fence_keeps_the_first_leader_out() throws Exception {
    long before = first.beginEpoch();
    first.commit(List.of(job()));
    long now = second.beginEpoch();
    second.commit(result(now, 1));
    List<Change> late = result(before, 1);
    assertThatThrownBy(() -> first.commit(late)).isInstanceOf(DeposedException.class);
    assertThat(Leaders.check(audit.read())).isEmpty();
    assertThat(audit.read().results()).isOne();
  }

  @Test
  void a_leader_that_writes_through_a_broken_fence_is_found() throws Exception {
    TestPostgres.execute(url, BREAK_THE_FENCE);
    long before = first.beginEpoch();
    first.commit(List.of(job()));
    long now = second.beginEpoch();
    second.commit(result(now, 1));
    first.commit(result(before, 2)); // deposed, and heard all the same
    assertThat(Leaders.check(audit.read()))
        .extracting(Violation::promise)
        .contains(Promise.DEPOSED_LEADERS_WRITE_NOTHING);
  }
}
