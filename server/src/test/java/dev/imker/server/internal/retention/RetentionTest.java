package dev.imker.server.internal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.account.BoardItem;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.BoardPut;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private final Instant now = Instant.now().plus(Duration.ofDays(2));

  @TempDir Path folder;
  private PoolStore store;
  private BlobStore blobs;
  private Retention retention;

  @BeforeEach
  void open() {
    store = SqliteStore.open(folder);
    blobs = TieredBlobs.open(folder.resolve("blobs"));
    retention =
        new Retention(
            store,
            blobs,
            List::of,
            changes -> store.commit(List.copyOf(changes)),
            job -> {
              store.commit(List.of(new JobRemoved(job)));
              return true;
            },
            Clock.fixed(now, ZoneOffset.UTC));
  }

  @AfterEach
  void close() {
    blobs.close();
    store.close();
  }

  @Test
  void dry_run_tells_what_the_run_then_does() throws Exception {
    settledJob(1, "shared", "one");
    settledJob(2, "shared", "two", "x".repeat(50_000));
    BlobId item = store("on a blackboard until yesterday");
    commit(
        new BoardPut(new BoardItem(new ProjectId("eva", "p"), "n", "", item, 1, "", 1, 1_000_000)));
    BlobId forgotten = store("forgotten");
    retention.rules().setPool(new RetentionRules(1, 1, -1, -1));
    Retention.Report told = retention.run(true);
    assertThat(blobs.has(forgotten)).isTrue();
    assertThat(told.jobs()).hasSize(2);
    assertThat(told.files().blobs()).isEqualTo(6);
    Retention.Report done = retention.run(false);
    assertThat(done.jobs()).extracting(Doomed::bytes, Doomed::why).isEqualTo(why(told));
    assertThat(done.files()).isEqualTo(told.files());
    assertThat(retention.run(true).files()).isEqualTo(BlobStore.Freed.NOTHING);
  }

  @Test
  void size_is_what_the_disk_uses_and_shared_files_count_once() throws Exception {
    String large = "x".repeat(50_000); // 13 blocks
    settledJob(1, large);
    settledJob(2, large, "a", "b");
    settledJob(3, "c", "d");
    limit(0);
    List<Doomed> all = retention.run(true).jobs();
    assertThat(all.get(0).bytes()).as("job 2 has the large file too").isLessThan(1000);
    assertThat(all.get(1).bytes()).isGreaterThan(53_248 + 2 * 100);
    long total = all.stream().mapToLong(Doomed::bytes).sum();
    limit(total);
    assertThat(retention.run(true).jobs()).isEmpty();
    limit(total - 1);
    assertThat(retention.run(true).jobs()).hasSize(1);
  }

  private void limit(long bytes) {
    retention.rules().setPool(new RetentionRules(-1, -1, bytes, -1));
  }

  @Test
  void second_run_removes_nothing_more_though_the_files_are_still_there() throws Exception {
    for (int i = 1; i <= 4; i++) {
      settledJob(i, ("" + i).repeat(20_000));
    }
    blobs.forEach(blob -> blobs.touch(blob, now.toEpochMilli()));
    limit(45_000);
    Retention.Report first = retention.run(false);
    assertThat(first.jobs()).hasSize(2);
    assertThat(first.files().blobs()).as("touched today").isZero();
    assertThat(retention.run(false).jobs()).isEmpty();
  }

  @Test
  void limit_of_one_user_leaves_others_alone() throws Exception {
    settledJob(1, "a");
    settledJob(2, "b");
    retention.rules().setUser("ann", new RetentionRules(-1, -1, 0, -1));
    assertThat(retention.run(true).jobs()).isEmpty();
    retention.rules().setUser("eva", new RetentionRules(-1, -1, 0, -1));
    assertThat(retention.run(true).jobs()).hasSize(2);
  }

  private static List<org.assertj.core.groups.Tuple> why(Retention.Report report) {
    return report.jobs().stream()
        .map(doomed -> org.assertj.core.api.Assertions.tuple(doomed.bytes(), doomed.why()))
        .toList();
  }

  private BlobId store(String content) throws IOException {
    try (BlobUpload upload = blobs.upload()) {
      upload.write(content.getBytes(StandardCharsets.UTF_8));
      return upload.finish();
    }
  }

  private void commit(Change... changes) {
    store.commit(List.of(changes));
  }

  private void settledJob(long id, String... results) throws IOException {
    long at = 1000 * id;
    JobSpec spec = JobSpec.of("a", "p", JobKind.COMMAND, Stage.of(List.of("x"), List.of()));
    commit(
        new JobAdded(new JobId(id), "eva", spec, 1, at, ""),
        new AttemptStarted(
            TaskId.of(id, 0), new LeaseToken(id), new AgentId("a"), new NodeId("n"), 1, at));
    List<ResultFile> files = new java.util.ArrayList<>();
    for (String result : results) {
      files.add(new ResultFile("r" + files.size(), store(result), result.length(), false));
    }
    AttemptReport report =
        new AttemptReport(
            AttemptOutcome.SUCCEEDED,
            0,
            at,
            at,
            0,
            0,
            CapturedOutput.NONE,
            CapturedOutput.NONE,
            files,
            "");
    int[] counts = new int[TaskState.values().length];
    counts[TaskState.DONE.ordinal()] = 1;
    commit(
        new AttemptEnded(TaskId.of(id, 0), new LeaseToken(id), report, TaskState.DONE, 0, 0, at),
        new JobChanged(new JobId(id), counts, at, 4));
  }
}
