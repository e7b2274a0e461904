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
import dev.imker.model.change.BlobsOwned;
import dev.imker.model.change.BoardPut;
import dev.imker.model.change.BoardRemoved;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobStore.Freed;
import dev.imker.store.blobs.BlobUpload;
import dev.imker.store.blobs.TieredBlobs;
import dev.imker.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random histories of users who upload, ask, submit and remove, of agents who bring results, and of
 * sweeps at any moment between them. Whatever a job or a blackboard refers to is there, and so is
 * whatever was stored or promised within the grace period.
 */
class BlobSweepTest {
  private static final long GRACE_MILLIS = 1000;
  private static final int STEPS = 250;

  @TempDir Path folder;

  @RepeatedTest(3)
  void nothing_that_is_needed_is_swept() throws Exception {
    long seed = Long.getLong("imker.seed", System.nanoTime());
    System.out.println("imker.seed=" + seed + " (set it to repeat this history)");
    try (PoolStore store = SqliteStore.open(folder);
        BlobStore blobs = TieredBlobs.open(folder.resolve("blobs"))) {
      new History(store, blobs, new Random(seed)).run();
    }
  }

  @Test
  void what_nobody_needs_goes_and_counts_no_more() throws Exception {
    try (PoolStore store = SqliteStore.open(folder);
        BlobStore blobs = TieredBlobs.open(folder.resolve("blobs"))) {
      History history = new History(store, blobs, new Random(1));
      BlobId blob = history.upload("eva", "content");
      assertThat(store.accounts().storageBytes("eva")).isEqualTo(7);
      BlobSweep sweep =
          new BlobSweep(store, blobs, changes -> store.commit(List.copyOf(changes)), List::of);
      Freed gone = new Freed(1, BlobStore.diskBytes(7));
      assertThat(sweep.run(history.now, history.now - 1, true, Set.of()).blobs())
          .as("as the run")
          .isZero();
      assertThat(sweep.run(history.now, history.now - 1, false, Set.of()).blobs()).isZero();
      assertThat(sweep.run(history.now, history.now + 1, true, Set.of())).isEqualTo(gone);
      assertThat(blobs.has(blob)).isTrue();
      assertThat(sweep.run(history.now, history.now + 1, false, Set.of())).isEqualTo(gone);
      assertThat(blobs.has(blob)).isFalse();
      assertThat(store.accounts().storageBytes("eva")).isZero();
    }
  }

  private static final class History {
    private final PoolStore store;
    private final BlobStore blobs;
    private final Random random;
    private final Map<BlobId, Long> promised = new HashMap<>();
    private final Map<Long, Set<BlobId>> jobs = new HashMap<>();
    private final Set<Long> running = new HashSet<>();
    private final Map<String, BlobId> board = new HashMap<>();
    private long now = System.currentTimeMillis();
    private long lastJob;

    History(PoolStore store, BlobStore blobs, Random random) {
      this.store = store;
      this.blobs = blobs;
      this.random = random;
    }

    void run() throws Exception {
      for (int i = 0; i < STEPS; i++) {
        now += random.nextInt(400);
        switch (random.nextInt(9)) {
          case 0, 1 ->
              upload(user(), "content ".repeat(1 + 3000 * random.nextInt(2)) + random.nextInt(6));
          case 2 -> promise(any());
          case 3 -> submit(any());
          case 4 -> finish(any());
          case 5 -> remove();
          case 6 -> post(any());
          case 7 -> save(any());
          default -> sweep();
        }
        check();
      }
    }

    private String user() {
      return random.nextBoolean() ? "eva" : "ann";
    }

    private BlobId any() {
      List<BlobId> all = new ArrayList<>();
      blobs.forEach(all::add);
      all.sort((a, b) -> a.sha256().compareTo(b.sha256()));
      return all.isEmpty() ? new BlobId("0".repeat(64)) : all.get(random.nextInt(all.size()));
    }

    BlobId upload(String user, String content) throws IOException {
      try (BlobUpload upload = blobs.upload()) {
        upload.write(content.getBytes(StandardCharsets.UTF_8));
        long size = upload.size();
        BlobId blob = upload.finish();
        blobs.touch(blob, now);
        promised.put(blob, now);
        commit(new BlobsOwned(user, Map.of(blob, size), now));
        return blob;
      }
    }

    /** An answer that a file need not be sent. */
    private boolean promise(BlobId blob) {
      boolean there = blobs.touch(blob, now);
      if (there) {
        promised.put(blob, now);
      }
      return there;
    }

    /** Between the look at the files and the job on disk a sweep may come. */
    private void submit(BlobId blob) throws InterruptedException {
      if (!promise(blob)) {
        return;
      }
      maybeSweep();
      long id = ++lastJob;
      Stage stage =
          Stage.of(List.of("x"), List.of())
              .withFiles(List.of(new InputFile("in", blob, 1, false)), List.of());
      JobSpec spec = JobSpec.of("a", "p", JobKind.COMMAND, stage);
      commit(new JobAdded(new JobId(id), user(), spec, 1, now, ""));
      jobs.put(id, new HashSet<>(Set.of(blob)));
      running.add(id);
      commit(
          new AttemptStarted(
              TaskId.of(id, 0), new LeaseToken(id), new AgentId("a"), new NodeId("n"), 1, now));
    }

    private void finish(BlobId blob) throws InterruptedException {
      if (running.isEmpty() || !promise(blob)) {
        return;
      }
      maybeSweep();
      long id = running.iterator().next();
      running.remove(id);
      AttemptReport report =
          new AttemptReport(
              AttemptOutcome.SUCCEEDED,
              0,
              now,
              now,
              0,
              0,
              new CapturedOutput(1, new byte[0], blob),
              CapturedOutput.NONE,
              List.of(new ResultFile("r", blob, 1, false)),
              "");
      int[] counts = new int[TaskState.values().length];
      counts[TaskState.DONE.ordinal()] = 1;
      commit(
          new AttemptEnded(TaskId.of(id, 0), new LeaseToken(id), report, TaskState.DONE, 0, 0, now),
          new JobChanged(new JobId(id), counts, now, 4));
      jobs.getOrDefault(id, new HashSet<>()).add(blob);
    }

    private void remove() {
      List<Long> settled = jobs.keySet().stream().filter(id -> !running.contains(id)).toList();
      if (!settled.isEmpty()) {
        long id = settled.get(random.nextInt(settled.size()));
        commit(new JobRemoved(new JobId(id)));
        jobs.remove(id);
        if (id == 1) {
          board.remove("checkpoint"); // goes with its job
        }
      } else if (!board.isEmpty()) {
        String name = board.keySet().iterator().next();
        store.putSetting("checkpoint/1.1", "");
        board.remove("checkpoint");
        commit(new BoardRemoved(new ProjectId("eva", "p"), name));
        board.remove(name);
      }
    }

    private void post(BlobId blob) throws InterruptedException {
      if (promise(blob)) {
        maybeSweep();
        String name = "n" + random.nextInt(3);
        commit(
            new BoardPut(
                new BoardItem(
                    new ProjectId("eva", "p"), name, "", blob, 1, "", now, Long.MAX_VALUE)));
        board.put(name, blob);
      }
    }

    private void save(BlobId blob) throws InterruptedException {
      if (promise(blob)) {
        maybeSweep();
        store.putSetting("checkpoint/1.1", "[{\"blob\":{\"sha256\":\"" + blob + "\"}}]");
        board.put("checkpoint", blob);
      }
    }

    private void maybeSweep() throws InterruptedException {
      if (random.nextBoolean()) {
        sweep();
      }
    }

    private void sweep() throws InterruptedException {
      new BlobSweep(store, blobs, changes -> store.commit(List.copyOf(changes)), List::of)
          .run(now, now - GRACE_MILLIS, false, Set.of());
    }

    private void commit(Change... changes) {
      store.commit(List.of(changes));
    }

    private void check() {
      jobs.forEach(
          (id, files) ->
              files.forEach(
                  blob -> assertThat(blobs.has(blob)).as("job %d needs %s", id, blob).isTrue()));
      board.values().forEach(blob -> assertThat(blobs.has(blob)).as("board").isTrue());
      promised.forEach(
          (blob, at) -> {
            if (at >= now - GRACE_MILLIS) {
              assertThat(blobs.has(blob)).as("promised").isTrue();
            }
          });
    }
  }
}
